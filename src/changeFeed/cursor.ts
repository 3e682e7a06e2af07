// The position of a reader, and the text that carries it. The text is sealed for its organization: a text of another
// organization, or one that this service did not make, does not open.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { type History, historyOf, textOf } from './history.ts'
import type { Snapshot } from './snapshot.ts'

/** Of a change in the order of the feed. */
export type ChangeKey = { seq: number; changeId: Uuid }

/** Entries that became visible between two snapshots are read in pages. */
export type Batch = {
  target: Snapshot
  targetAt: Date
  /** The last place that was read; undefined: none yet. */
  after: ChangeKey
  /** Beyond it everything is newer than the batch. */
  lastSeq: number
}

/** Of the history that its snapshots belong to; the place in the log is that of the latest one. */
export type Position = History & {
  /** The reader has everything that this snapshot sees. */
  base: Snapshot
  baseAt: Date
  /** Every entry that the reader lacks has a newer id than this. */
  from: Date
  batch?: Batch
}

/** Ids are made by the processes, a little before their transactions. */
const idsBehindMs = 3_600_000

/** Of a reader who has all that `base` sees. */
export const positionAt = ({ database, wal }: History, base: Snapshot, baseAt: Date): Position => ({
  ...{ database, ...(wal !== undefined && { wal }), base, baseAt },
  from: new Date(baseAt.getTime() - idsBehindMs),
})

const cursorContext = (orgId: Uuid) => `changes.cursor:${orgId}` as const

export function sealCursor({ sealer }: App, orgId: Uuid, position: Position): string {
  const { base, baseAt, from, batch } = position
  const parts = [textOf(position), base, baseAt.getTime(), from.getTime()]
  const rest = batch && [batch.target, batch.targetAt.getTime(), batch.after.seq, batch.after.changeId, batch.lastSeq]
  return sealer.seal(cursorContext(orgId), JSON.stringify([...parts, ...(rest ?? [])])).toString('base64url')
}

/** Undefined for a text that this service did not make for this organization. */
export function openCursor({ sealer }: App, orgId: Uuid, text: string): Position | undefined {
  const sealed = Buffer.from(text, 'base64url')
  if (sealed.toString('base64url') !== text) return undefined
  try {
    return positionOf(JSON.parse(sealer.unseal(cursorContext(orgId), sealed)) as Parts)
  } catch {
    return undefined
  }
}

type Parts = [string, Snapshot, number, number, ...([Snapshot, number, number, Uuid, number] | [])]

function positionOf([history, base, baseAt, from, ...rest]: Parts): Position {
  const position = { ...historyOf(history), base, baseAt: new Date(baseAt), from: new Date(from) }
  if (rest.length === 0) return position
  const [target, targetAt, seq, changeId, lastSeq] = rest
  return { ...position, batch: { target, targetAt: new Date(targetAt), after: { seq, changeId }, lastSeq } }
}
