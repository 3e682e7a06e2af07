// How much disk an installation needs, from the size of its rows with their indexes.
import { statfsSync } from 'node:fs'
import { type Sizes, sizesOf } from './shape.ts'

/** With indexes, as the trial measured them. */
const bytesPerRow: Sizes = {
  organizations: 3_000,
  agents: 320,
  calendars: 530,
  events: 470,
  timers: 210,
  deliveries: 500,
  entries: 1_050,
}
const gb = 1e9
/** The log of Postgres, its files for sorting, Redis and the logs of the processes, of each installation. */
const besides = { large: 7 * gb, small: 2 * gb }
/** Indexes and vacuum leave gaps, and the file system keeps a reserve. */
const margin = 1.2

const bytesOf = (sizes: Sizes): number =>
  Object.entries(bytesPerRow).reduce((sum, [name, bytes]) => sum + bytes * sizes[name as keyof Sizes], 0)

/** Of two installations with so many agents. */
export const neededBytes = (agents: Record<keyof typeof besides, number>): number =>
  (['large', 'small'] as const).reduce((sum, side) => sum + bytesOf(sizesOf(agents[side])) * margin + besides[side], 0)

export const freeBytesIn = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

export const gigabytes = (bytes: number): string => `${(bytes / gb).toFixed(bytes < 10 * gb ? 1 : 0)} GB`
