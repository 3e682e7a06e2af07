// The generated part of docs/performance.md: the machine, the date, the commit and the whole table of the last run.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Row } from './figures.ts'
import { markdownTableOf } from './table.ts'

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const [opening, closing] = ['<!-- npm run bench: begin -->', '<!-- npm run bench: end -->']

/** The environment of the run: `load` is the load average before the first row. */
type Surroundings = { load: number; minutes: number }

export const loadNow = (): number => loadavg()[0]!

export function writePage(rows: readonly Row[], surroundings: Surroundings): void {
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(opening), text.indexOf(closing)]
  if (from < 0 || to < from) throw new Error(`${page} has lost the marks of its generated part`)
  const part = `${opening}\n\n${factsOf(surroundings)}\n\n${markdownTableOf(rows)}\n\n`
  writeFileSync(page, text.slice(0, from) + part + text.slice(to))
}

function factsOf({ load, minutes }: Surroundings): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return [
    `- Machine: ${cpus().length} cores (${cpus()[0]!.model.trim()}), ${gigabytes} GB of memory, Node ${process.versions.node}`,
    `- Date: ${new Date().toISOString().slice(0, 10)}, commit ${commit()}`,
    `- Load average: ${load.toFixed(1)} before the first row, ${loadNow().toFixed(1)} after the last; it took ${minutes} minutes`,
  ].join('\n')
}

/** Of the code that was measured; this page may differ. */
function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', ':!docs')
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ', with changes' : ''}`
  } catch {
    return 'unknown'
  }
}
