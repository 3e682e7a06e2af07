// Things that a plan caps. They are decided by the revision of their organization: whatever could make one too many, or takes away the
// right to add one, raises it.

import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import { bumpRevisions } from '../organizations/writes.ts'
import type { Fragment } from '../stores/postgres.ts'
import type { Columns } from '../stores/sql.ts'
import { type Recorded, recordedColumns } from './record.ts'
import type { Kind } from './together.ts'

export type Capped = Recorded & { seenRevision: number }

type Differences<Item extends Capped> = {
  columns: Columns<Item>
  /** The columns that `recordEach` needs of an item `i` besides its own: `calendar_id, agent_id, revision`. */
  subject(app: App): Fragment
  /** Inserts them, from a clause whose alias `i` has their columns. */
  insert(app: App, from: Fragment): Effect
}

export const cappedKind = <Item extends Capped>({ columns, subject, insert }: Differences<Item>): Kind<Item> => ({
  columns: { ...recordedColumns, seenRevision: 'bigint', ...columns } as Columns<Item>,
  keysOf: ({ id }) => [id],
  decidedBy: (app, items) => ({
    rows: app.sql`
      from ${items} i
      join organizations o on o.id = i.org_id
      where o.revision = i.seen_revision`,
    columns: subject(app),
    order: app.sql`o.id`,
    locks: app.sql`o`,
  }),
  write: (app, admitted) => ({
    steps: [bumpRevisions(app.sql, admitted)],
    guard: app.sql`select * from ${admitted}`,
    effects: [insert(app, app.sql`${guard} i`)],
  }),
})
