// Where the stores of a test run keep their files.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const tmpfs = 0x01021994
/** Gigabytes: the largest tests and what Postgres keeps of its log. */
const enough = 4 * 1024 ** 3

/**
 * In memory where there is room. Each test's database has 900 files that are soon deleted, and a disk takes three times as long to
 * make them.
 */
export function storesFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(memory)
    if (type === tmpfs && bavail * bsize >= enough) return memory
  } catch {}
  return tmpdir()
}
