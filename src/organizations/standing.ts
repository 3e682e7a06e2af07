// An organization that is stopped shows nothing to strangers: its booking pages, its feeds and the pages of its connection links are
// 404, and its mails to guests wait. It is stopped as a whole (the waitlist, which refuses its keys, too), or an operator has closed
// its pages alone. Mails about its account are sent all the same: its people must be able to get back in.
import type { Fragment, Sql } from '../stores/postgres.ts'

/** `o`: the organization. */
export const isStopped = (sql: Sql, o: Fragment): Fragment =>
  sql`(${o}.is_waitlisted or ${o}.pages_closed_at is not null)`
