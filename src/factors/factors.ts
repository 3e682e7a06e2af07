// The second factor of an account, as it is now.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type FactorRow, factorOf } from './queries.ts'

/** It is off unless it has `totpSealed`. */
export async function requireAccountFactor({ sql }: App, accountId: Uuid): Promise<FactorRow> {
  const [row] = await factorOf(sql, accountId)
  if (!row) throw notFound('account')
  return row
}

export async function requireFactorOn(app: App, { accountId }: { accountId: Uuid }): Promise<FactorRow> {
  const factor = await requireAccountFactor(app, accountId)
  if (!factor.totpSealed) throw notFound('second factor')
  return factor
}

export async function getFactors(app: App, actor: Actor) {
  const { totpEnabledAt, recoveryCodesLeft } = await requireAccountFactor(app, actor.member!.accountId)
  return {
    totp: { enabled: totpEnabledAt !== null, enabled_at: totpEnabledAt && isoTime(totpEnabledAt) },
    recovery_codes_left: recoveryCodesLeft,
  }
}
