// A connection whose account is refused: its human gets a mail, another one after a week, and after 90 days the connection
// ends. Its grants stay, so their time counts as busy: nothing says that the human is free.
import type { App } from '../app.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import type { ConnectionKey } from '../connections/queries.ts'
import { isGivenUp, remindAfter } from '../connections/rules.ts'
import { sourcesTold } from '../connections/told.ts'
import { eraseCopiesOf } from '../connections/writes.ts'
import { sendLater } from '../mails/mails.ts'
import { connectionTroubleMail } from '../mails/texts.ts'
import type { ReauthorizationReason } from '../providers/rules.ts'
import { emit } from '../webhooks/emit.ts'
import type { ClaimedRead } from './readWrites.ts'
import { humanOf, troubledConnection } from './reminderQueries.ts'
import { breakGuard, giveUpGuard, remindGuard } from './reminderWrites.ts'

/** Matches only while the read that was refused is the latest. */
export async function authorizationRefused(
  app: App,
  read: ClaimedRead,
  reason: ReauthorizationReason,
  now: Date,
): Promise<void> {
  const to = await addressOf(app, read)
  const told = await interrupted(app, read)
  await commit(app, {
    guard: breakGuard(app.sql, read, reason, remindAfter(now, now), now),
    effects: [...told, to === undefined ? undefined : sendLater(app, connectionTroubleMail(app, to, 'broken'))],
  })
}

/** Handles a connection whose time has come; anything else is left alone. */
export async function attend(app: App, key: ConnectionKey): Promise<void> {
  const now = app.clock.now()
  const [row] = await troubledConnection(app.sql, key, now)
  if (!row) return
  const to = await addressOf(app, key)
  const mail = (kind: 'reminder' | 'given_up') =>
    to === undefined ? undefined : sendLater(app, connectionTroubleMail(app, to, kind))
  if (isGivenUp(row.brokenAt, now)) {
    const told = await interrupted(app, key)
    await commit(app, {
      guard: giveUpGuard(app.sql, key, now),
      effects: [...eraseCopiesOf(app.sql, key.orgId, key.id), ...told, mail('given_up')],
    })
    return
  }
  await commit(app, {
    guard: remindGuard(app.sql, key, remindAfter(row.brokenAt, now), now),
    effects: [mail('reminder')],
  })
}

const interrupted = async (app: App, { orgId, id }: ConnectionKey) =>
  emit(app, byItself(orgId, 'timer'), await sourcesTold(app, orgId, app.sql`select ${id}::uuid`, 'interrupted'))

const addressOf = async ({ sql }: App, key: ConnectionKey): Promise<string | undefined> =>
  (await humanOf(sql, key))[0]?.email
