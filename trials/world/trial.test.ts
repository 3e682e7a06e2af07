import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { test } from 'vitest'
import { openAll } from './opened.ts'
import { runTrial } from './trial.ts'

const never = new AbortController().signal

/** Runs a trial of which only `run` and the results differ. Returns its exit code, and whether its folder still exists. */
async function outcome(run: (requested: AbortController) => Promise<unknown>, isWrong = false) {
  const requested = new AbortController()
  let folder = ''
  let isMended = false
  const code = await runTrial({
    what: 'A trial of the trials',
    stop: { requested: requested.signal, forced: never },
    maxMs: 500,
    open: () =>
      openAll('test', async ({ dataDir }) => {
        folder = dataDir
        return {}
      }),
    run: () => run(requested),
    isWrong: () => isWrong,
    report: () => undefined,
    mend: async () => {
      isMended = true
    },
  })
  const isKept = existsSync(folder)
  rmSync(folder, { recursive: true, force: true })
  return { code, isKept, isMended }
}

test('a trial that finds nothing wrong ends with 0 and leaves nothing behind', async () => {
  assert.deepEqual(await outcome(async () => undefined), { code: 0, isKept: false, isMended: true })
})

const failed = { code: 1, isKept: true, isMended: true }

test('what is wrong, fails or takes too long ends with 1 and keeps the logs', async () => {
  assert.deepEqual(await outcome(async () => undefined, true), failed)
  assert.deepEqual(await outcome(() => Promise.reject(new Error('Postgres did not start'))), failed)
  assert.deepEqual(await outcome(() => new Promise(() => setTimeout(() => {}, 1_000))), failed)
})

test('a trial that is stopped ends with 1; it keeps the logs if something is wrong by then', async () => {
  for (const isWrong of [false, true]) {
    const stopped = outcome((requested) => {
      requested.abort()
      return new Promise(() => {})
    }, isWrong)
    assert.deepEqual(await stopped, { ...failed, isKept: isWrong })
  }
})
