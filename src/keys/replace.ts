// A key takes the place of another one, in the statement that ends that one or gives it an end.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import type { MintedKey } from './mint.ts'
import { type KeyRow, newRow, successorOf } from './row.ts'
import { endOfSuccessor, isOver } from './rules.ts'
import { type EndedKey, endKeys, insertKey, makerOf } from './writes.ts'

type Replacement = {
  minted: MintedKey
  /** The key that is replaced; undefined: there was none. */
  before: KeyRow | undefined
  /** Until when that one works; null: it ends. */
  endOfBefore: Date | null
  /** The key before that one, which ends. */
  older: KeyRow | undefined
  /** When the new key ends, if that was asked for. */
  expiresAt?: Date | null | undefined
}

/** `row`: the new key. */
export function replaceKey(
  { sql }: App,
  actor: Actor,
  { minted, before, endOfBefore, older, expiresAt }: Replacement,
): { row: KeyRow; effects: (Effect | undefined)[] } {
  const now = minted.createdAt
  const successor = before
    ? { ...successorOf(before, minted), expiresAt: endOfSuccessor(before, expiresAt, now) }
    : newRow(minted)
  const row = { ...successor, ...makerOf(actor) }
  // One that has expired keeps its end, so that its holder learns why it is refused.
  const end = before && isOver(before, now) ? before.expiresAt : endOfBefore
  const ended: EndedKey[] = [
    ...(before ? [{ id: before.id, replacedBy: minted.id, expiresAt: end }] : []),
    ...(older ? [{ id: older.id, expiresAt: null }] : []),
  ]
  const ending = ended.length > 0 ? endKeys(sql, actor.orgId, ended, now) : undefined
  return { row, effects: [ending, insertKey(sql, { ...minted, ...row, orgId: actor.orgId }, ending)] }
}
