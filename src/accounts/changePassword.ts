// A person who is signed in sets a new password, and shows the one of now. Their other sessions end.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../commit/commit.ts'
import { rouseCallers } from '../commit/notifyReaders.ts'
import { invalid } from '../errors.ts'
import { sendLater } from '../mails/mails.ts'
import { securityNotice } from '../mails/texts.ts'
import { encodeId } from '../shapes/ids.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import { countGuess, refuseGuesses } from './guesses.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { accountById } from './queries.ts'
import type { ChangePasswordBody } from './schema.ts'
import { endOtherSessions, keepSession } from './sessionWrites.ts'
import { changePasswordGuard, endLinks } from './writes.ts'

/** The second factor stays. A wrong password counts as one of the account's guesses. */
export async function changePassword(app: App, actor: Actor, body: ChangePasswordBody): Promise<void> {
  const { accountId } = actor.member!
  const guesser = { ...actor, accountId }
  await refuseGuesses(app, guesser)
  const [account] = await accountById(app.sql, accountId)
  if (!account || !(await isPassword(app, account.passwordHash, body.current_password))) {
    await countGuess(app, guesser)
    throw wrong()
  }
  await refuseGuesses(app, guesser)
  const now = app.clock.now()
  const { matched } = await commit(app, {
    guard: changePasswordGuard(app.sql, account, await hashPassword(app, body.password), now),
    effects: [
      endOtherSessions(app.sql, accountId, actor.sessionId!),
      keepSession(app.sql, actor.sessionId!),
      endLinks(app.sql, { orgId: account.orgId, accountId }),
      auditEntry(app, actor, 'org.update', encodeId('org', actor.orgId)),
      sendLater(app, securityNotice(app, account.email, 'password_changed', now), actor.orgId),
      dryRunEnd(app, actor, undefined),
    ],
  })
  if (!matched) throw wrong()
  rouseCallers(app, actor.orgId)
}

const wrong = () => invalid('current_password: this is not the password of the account', 'current_password')
