// How far the clock of Postgres is from that of this process. Claims and moments go by the one, tokens and caches by the other.
import type { Sql } from './postgres.ts'

/** All in milliseconds since 1970: asked and answered by this process' clock, `serverAt` by the server's. */
type Sample = { askedAt: number; serverAt: number; answeredAt: number }

/** An answer that took longer says too little: the server looked at its clock at any moment in between. */
const longestMs = 200

/** By how many milliseconds the server is ahead, within half of the time that the answer took. Undefined: it took too long. */
export function offsetMsOf({ askedAt, serverAt, answeredAt }: Sample): number | undefined {
  return answeredAt - askedAt > longestMs ? undefined : serverAt - (askedAt + answeredAt) / 2
}

export async function readClockOffsetMs(sql: Sql): Promise<number | undefined> {
  const askedAt = Date.now()
  const [row] = await sql<{ seconds: number }[]>`select extract(epoch from clock_timestamp())::float8 as seconds`
  return offsetMsOf({ askedAt, serverAt: row!.seconds * 1_000, answeredAt: Date.now() })
}
