// Starts of series as python-dateutil finds them: an oracle that shares nothing with the engine.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

export const hasDateutil = (): boolean => spawnSync(python, ['-c', 'import dateutil, zoneinfo']).status === 0

/** `wall`, `from` and `to` are local times; UNTIL in the rule is one as well. */
export type AskedStarts = { zone: string; rule: string; wall: string; from: string; to: string }

/** Of each question the starts in milliseconds. */
export function pythonStarts(asked: readonly AskedStarts[]): Promise<number[][]> {
  return new Promise((resolve, reject) => {
    const script = join(import.meta.dirname, 'zonedStarts.py')
    const child = execFile(python, [script], { maxBuffer: 64 * 2 ** 20 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    )
    child.stdin!.end(JSON.stringify(asked))
  })
}
