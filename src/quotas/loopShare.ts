// How much of the event loop the large answers and feeds of each organization have taken lately, in milliseconds. An organization may take a
// burst at once and a share from then on; beyond that its large reads rest. Others lose no more than the share to it.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'

/** Of each second. */
const shareMs = 250
const burstMs = 250
/** Reading an answer from Postgres and unsealing it takes about as long as writing it, and only writing is measured. */
const readsPerWrite = 1
const maxKnown = 10_000

export type Account = { usedMs: number; at: number }

/** `now`: a monotonic time in milliseconds. */
export const usedAt = ({ usedMs, at }: Account, now: number): number =>
  Math.max(0, usedMs - ((now - at) * shareMs) / 1_000)

/** How long the organization's next large read must wait. */
export const restMs = (account: Account, now: number): number =>
  Math.ceil(((usedAt(account, now) - burstMs) * 1_000) / shareMs)

const openAccounts = () => new Map<string, Account>()
const accountsOf = (app: App): Map<string, Account> => app.memory(openAccounts)

/** An answer of the organization took `ms` of the loop to write. */
export function spendLoopTime(app: App, orgId: Uuid, ms: number): void {
  const accounts = accountsOf(app)
  const now = performance.now()
  const known = accounts.get(orgId)
  if (!known && accounts.size >= maxKnown) {
    for (const [id, account] of accounts) if (usedAt(account, now) === 0) accounts.delete(id)
  }
  accounts.set(orgId, { usedMs: (known ? usedAt(known, now) : 0) + ms * (1 + readsPerWrite), at: now })
}

/** How much of it is not forgotten yet. */
export function loopMsOf(app: App, orgId: string): number {
  const known = accountsOf(app).get(orgId)
  return known ? usedAt(known, performance.now()) : 0
}

export function restMsOf(app: App, orgId: string): number {
  const known = accountsOf(app).get(orgId)
  return known ? restMs(known, performance.now()) : 0
}

/** Whether all its reads take places for a while, and not only those that are large for certain. */
export const isOverShare = (app: App, orgId: Uuid): boolean => restMsOf(app, orgId) > 0
