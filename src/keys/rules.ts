// When keys end, and how one key takes the place of another.

type Life = { createdAt: Date; expiresAt: Date | null }

/** From its last instant on. */
export const isOver = ({ expiresAt }: Pick<Life, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now

/** When the successor of a key ends: as `given`, otherwise it lives as long as the key was to live. */
export function endOfSuccessor({ createdAt, expiresAt }: Life, given: Date | null | undefined, now: Date): Date | null {
  if (given !== undefined) return given
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime())
}

/** When a key that is replaced now ends; null: at once. */
export function endOfReplaced({ expiresAt }: Life, overlapSeconds: number, now: Date): Date | null {
  if (overlapSeconds === 0) return null
  const end = new Date(now.getTime() + overlapSeconds * 1000)
  return expiresAt && expiresAt < end ? expiresAt : end
}

type Replaceable = { replacedBy: unknown }

/** Why a key cannot be rotated. `predecessor`: the key that it has replaced, if that still works. */
export function refuseRotation(
  { replacedBy }: Replaceable,
  predecessor: object | undefined,
  force: boolean,
): 'key_replaced' | 'overlap_open' | undefined {
  if (replacedBy !== null) return 'key_replaced'
  return predecessor && !force ? 'overlap_open' : undefined
}

/** A key that was replaced may end earlier, not later: it counts against no cap. */
export const isProlonged = (key: Life & Replaceable, end: Date | null | undefined): boolean =>
  key.replacedBy !== null && end !== undefined && (end === null || key.expiresAt === null || end > key.expiresAt)
