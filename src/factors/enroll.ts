// Turning a second factor on: a secret is shown, and a code shows that an app has it.
import { endOtherSessions, passSession } from '../accounts/sessionWrites.ts'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { conflict, invalid } from '../errors.ts'
import { minuteMs } from '../shapes/durations.ts'
import { dryRunEnd } from '../storedResponses/storeResponse.ts'
import { requireAccountFactor } from './factors.ts'
import { noticeOf } from './notice.ts'
import { hashRecoveryCodes, newRecoveryCodes } from './recoveryCodes.ts'
import { readCode } from './rules.ts'
import { pendingContext, totpContext } from './sealed.ts'
import { newSecret, otpauthUrl, stepOf } from './totp.ts'
import { beginTotpGuard, confirmTotpGuard, insertRecoveryCodes, removeRecoveryCodes } from './writes.ts'

const pendingMs = 10 * minuteMs

const alreadyOn = () => conflict('The second factor is on already. Turn it off first.')

export async function beginTotp(app: App, actor: Actor) {
  const { accountId } = actor.member!
  const secret = newSecret()
  const answer = { secret, otpauth_url: otpauthUrl(secret, actor.account!) }
  const sealed = app.sealer.seal(pendingContext(accountId), secret)
  const { matched } = await commit(app, {
    guard: beginTotpGuard(app.sql, accountId, sealed, new Date(app.clock.now().getTime() + pendingMs)),
    effects: [dryRunEnd(app, actor, answer, Object.values(answer))],
  })
  if (!matched) throw alreadyOn()
  return answer
}

const noneBegun = () => conflict('No secret waits for a code. Begin with POST /v1/auth/factors/totp.')

/** Every other session ends: whoever has it has shown no code. */
export async function confirmTotp(app: App, actor: Actor, { code }: { code: string }) {
  const { accountId } = actor.member!
  const { pendingSealed, email } = await requireAccountFactor(app, accountId)
  if (!pendingSealed) throw noneBegun()
  const now = app.clock.now()
  const secret = app.sealer.unseal(pendingContext(accountId), pendingSealed)
  const sent = readCode(code)
  const step = sent?.kind === 'totp' ? stepOf(secret, sent.digits, now) : undefined
  if (step === undefined) throw invalid('code: this is not the current code of the secret', 'code')
  const codes = newRecoveryCodes()
  const answer = { recovery_codes: codes }
  const sealed = app.sealer.seal(totpContext(accountId), secret)
  const { matched } = await commit(app, {
    guard: confirmTotpGuard(app.sql, accountId, { pending: pendingSealed, sealed, step, now }),
    effects: [
      endOtherSessions(app.sql, accountId, actor.sessionId!),
      passSession(app.sql, actor.sessionId!, now),
      removeRecoveryCodes(app.sql),
      insertRecoveryCodes(app.sql, await hashRecoveryCodes(app, accountId, codes)),
      ...(await noticeOf(app, { ...actor, accountId, email }, 'on')),
      dryRunEnd(app, actor, answer, codes),
    ],
  })
  if (!matched) throw noneBegun()
  return answer
}
