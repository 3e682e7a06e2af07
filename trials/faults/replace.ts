// Ends a process in order, as a deploy does; its successor starts by itself.
import type { Supervised } from '../world/supervise.ts'
import type { Findings } from './findings.ts'

const maxStopMs = 15_000

/** An orderly end takes 15 s at most, even while Redis is down. */
export async function replace(process: Supervised, findings: Findings): Promise<void> {
  const { code, ms } = await process.terminate()
  const seconds = (ms / 1000).toFixed(1)
  console.log(`    ${process.name} ended in order after ${seconds} s, exit code ${code}`)
  if (code !== 0 || ms > maxStopMs) {
    findings.add('promise', `${process.name} did not end in order: exit code ${code} after ${seconds} s`)
  }
}
