import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cpuMsOf } from './cpu.ts'

/** Ends its work when it has used this much, as the process counts itself. */
const burn = (ms: number) => `while (process.cpuUsage().user + process.cpuUsage().system < ${ms * 1_000});`

/** Runs until its input ends; `line` is its output until then. */
async function started(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('done'); process.stdin.resume()`])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { pid: child.pid!, end: () => void child.stdin.end() }
}

test.runIf(existsSync('/proc/self/stat'))('the children of a process count, also when they have ended', async () => {
  const inner = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(burn(300))}])`
  const [idle, parent] = [await started(''), await started(inner)]
  const [idleMs, parentMs] = [cpuMsOf([idle.pid])!, cpuMsOf([parent.pid])!]
  expect(parentMs - idleMs).toBeGreaterThan(250)
  assert.ok(cpuMsOf([idle.pid, parent.pid])! >= idleMs + parentMs)
  for (const { end } of [idle, parent]) end()
})
