// A process is told to end, as in a deploy, and its successor starts.
import type { Supervised } from '../world/supervise.ts'
import type { Findings } from './findings.ts'

const maxStopMs = 15_000
/** One that has not ended by then never will: it is killed. */
const maxWaitMs = 30_000

/** An orderly end takes 15 s at most, also when Redis is away. */
export async function replace(process: Supervised, findings: Findings) {
  const late = setTimeout(() => void process.kill(), maxWaitMs)
  const { code, ms } = await process.terminate()
  clearTimeout(late)
  const seconds = (ms / 1000).toFixed(1)
  console.log(`    ${process.name} ended in order after ${seconds} s, exit code ${code}`)
  if (code !== 0 || ms > maxStopMs) {
    findings.add('promise', `${process.name} did not end in order: exit code ${code} after ${seconds} s`)
  }
}
