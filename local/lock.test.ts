import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { acquireLock } from './lock.ts'

const dir = mkdtempSync(join(tmpdir(), 'lock-test-'))
afterAll(() => rmSync(dir, { recursive: true }))

const lockModule = new URL('./lock.ts', import.meta.url).href
/** Another process that takes the lock, says whether it got it, and lives on. */
async function rival(path: string): Promise<{ got: boolean; process: ChildProcess }> {
  const source = `const { acquireLock } = await import(${JSON.stringify(lockModule)})
    process.stdout.write(await acquireLock(${JSON.stringify(path)}) ? 'got' : 'refused')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [answer] = await once(child.stdout!, 'data')
  return { got: String(answer) === 'got', process: child }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('a living owner keeps it, a killed one loses it', async () => {
  const path = join(dir, 'kept')
  const owner = await rival(path)
  assert.equal(owner.got, true)
  assert.equal(await acquireLock(path), undefined)
  await end(owner.process)
  const lock = await acquireLock(path)
  assert.equal(lock?.wasStale, true)
  lock?.release()
  assert.equal(existsSync(path), false)
})

test('the pid of the owner, given to another process, does not hold it', async () => {
  const path = join(dir, 'reused')
  writeFileSync(path, JSON.stringify({ pid: process.ppid, startedAt: 'in another life' }))
  const lock = await acquireLock(path)
  assert.equal(lock?.wasStale, true)
  lock?.release()
})

test('of many processes that find a stale lock, one gets it', async () => {
  const path = join(dir, 'contested')
  writeFileSync(path, JSON.stringify({ pid: 1, startedAt: 'in another life' }))
  const rivals = await Promise.all(Array.from({ length: 6 }, () => rival(path)))
  const winners = rivals.filter((one) => one.got).length
  await Promise.all(rivals.map((one) => end(one.process)))
  assert.equal(winners, 1)
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.startsWith('contested.')),
    [],
  )
})
