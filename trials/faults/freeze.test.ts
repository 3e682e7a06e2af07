import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { afterAll, test } from 'vitest'
import { openFreezer } from './freeze.ts'

const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
afterAll(() => child.kill('SIGKILL'))
const pid = child.pid!

const standsStill = () => execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T')

/** A signal takes a moment to be felt. */
async function until(still: boolean) {
  const over = performance.now() + 20_000
  while (standsStill() !== still) {
    assert.ok(performance.now() < over, still ? 'it goes on' : 'it stands still')
    await new Promise((done) => setTimeout(done, 10))
  }
}

test('a process stands still and goes on; one that is gone is passed over', async () => {
  const freezer = openFreezer()
  const gone = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await new Promise((done) => gone.once('exit', done))
  const over = freezer.freeze([pid, gone.pid!], 1_000)
  await until(true)
  await over
  await until(false)
  freezer.close()
})

test('when the run ends in the middle of it, it goes on at once, and nothing stands still any more', async () => {
  const freezer = openFreezer()
  const over = assert.rejects(freezer.freeze([pid], 600_000), /aborted/)
  await until(true)
  freezer.close()
  await over
  await until(false)
  await assert.rejects(freezer.freeze([pid], 1), /the run is over/)
  assert.equal(standsStill(), false)
})
