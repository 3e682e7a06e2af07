// The longest file first, so that no worker waits at the end for a long file that began last.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export const timingsFile = new URL('./timings.json', import.meta.url)

/** For a file that was never timed. */
const unknownMs = 5_000

/** Milliseconds by path. */
export type Timings = Record<string, number>

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timings: Timings = JSON.parse(readFileSync(timingsFile, 'utf8'))
    const durationMs = ({ moduleId }: TestSpecification) =>
      timings[relative(this.ctx.config.root, moduleId)] ?? unknownMs
    return files.toSorted((a, b) => durationMs(b) - durationMs(a))
  }
}
