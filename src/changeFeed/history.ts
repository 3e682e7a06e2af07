// The history that a snapshot belongs to, how far it had come, and whether another server goes on with it.

export type History = {
  /** The operator's row, the time line and the cluster. Also the name of the time line's row, if that was there. */
  database: string
  /** Where the write-ahead log was, after the snapshot. Cursors of an older release, or without the row, lack it. */
  wal?: string
}

/** A time line that this database has been on. `leftAt`: where the one before it was left, if that is known. */
export type Timeline = { timeline: string; id: string; leftAt: string | null }

const separator = '@'

export function historyOf(text: string): History {
  const [database, wal] = text.split(separator) as [string, string?]
  return wal === undefined ? { database } : { database, wal }
}

export const textOf = ({ database, wal }: History): string =>
  wal === undefined ? database : `${database}${separator}${wal}`

/** Whether a cursor is of the history that the server is on. Older cursors do not name the row of the time line. */
export const isOn = (cursor: History, { database }: History): boolean =>
  database === cursor.database || database.startsWith(`${cursor.database}/`)

/**
 * Whether the snapshot of a cursor is valid on a later time line, `now`. Every transaction that the snapshot calls finished has its end
 * in the log before the cursor's place. If the time line was left there or later, the new server knows all of these ends, and gives none
 * of these numbers to another transaction. The next time line by number comes from this one, as a row of both is here.
 */
export function goesOn(cursor: History, now: History, timelines: readonly Timeline[]): boolean {
  const [incarnation, timeline, cluster, id] = cursor.database.split('/')
  const [nowIncarnation, , nowCluster] = now.database.split('/')
  if (cursor.wal === undefined || incarnation !== nowIncarnation || cluster !== nowCluster) return false
  const own = timelines.find((row) => row.timeline === timeline && row.id === id)
  const next = timelines.find((row) => numberOf(row.timeline) === numberOf(timeline!) + 1)
  if (!own || !next || next.leftAt === null) return false
  return placeOf(cursor.wal) <= placeOf(next.leftAt)
}

const numberOf = (timeline: string): number => Number.parseInt(timeline, 16)

/** `16/B374D848` */
function placeOf(wal: string): bigint {
  const [high, low] = wal.split('/') as [string, string]
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
