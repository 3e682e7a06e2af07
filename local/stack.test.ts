import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, test } from 'vitest'
import { freePort } from './ports.ts'
import { type ProcessRecord, readRecord, recordOf, waitUntilGone } from './processes.ts'

const root = mkdtempSync(join(tmpdir(), 'stack-test-'))
// So that the account which runs Postgres gets through, and nothing is left elsewhere.
chmodSync(root, 0o711)
afterAll(() => rmSync(root, { recursive: true, force: true }))
const script = fileURLToPath(new URL('./testing/startStandIns.ts', import.meta.url))

type Run = {
  process: ChildProcess
  dataDir: string
  output(): string
  until(pattern: RegExp): Promise<void>
  code: Promise<number>
}

/** One after another on the same data: a new cluster takes longer than the rest of a start. Each name has its own journal. */
function start(name: string, env: Record<string, string>, children = ['api', 'workers']): Run {
  const dataDir = env.DATA_DIR ?? join(root, 'data')
  const { DATABASE_URL: _, REDIS_URL: __, ...clean } = process.env
  const child = spawn(process.execPath, [script, join(root, `${name}.journal`), ...children], {
    env: { ...clean, DATA_DIR: dataDir, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = once(child, 'close').then(([exitCode]) => exitCode as number)
  return {
    process: child,
    dataDir,
    output: () => output,
    code,
    async until(pattern) {
      const ended = code.then(() => true)
      while (!pattern.test(output)) {
        const isOver = await Promise.race([ended, new Promise<false>((go) => setTimeout(() => go(false), 25))])
        if (isOver && !pattern.test(output)) assert.fail(`ended without ${pattern}:\n${output}`)
      }
    },
  }
}

const journalOf = (name: string) =>
  readFileSync(join(root, `${name}.journal`), 'utf8')
    .trim()
    .split('\n')

/** Everything that a running start has begun, by its records. */
function everyProcess({ dataDir }: Run, name: string): ProcessRecord[] {
  const files = ['postgres.process.json', 'redis.process.json', 'guardian.lock', 'start.lock']
  const children = journalOf(name).map((line) => recordOf(Number(line.split(' ')[1])))
  const found = [...files.map((file) => readRecord(join(dataDir, file))), ...children]
  return found.filter((record) => record !== undefined)
}

async function assertAllGone(records: ProcessRecord[]): Promise<void> {
  assert.ok(records.length >= 6, `only ${records.length} processes were seen`)
  for (const record of records) assert.equal(await waitUntilGone(record, 15_000), true, `pid ${record.pid} lives`)
}

test('a start says where everything is; Ctrl-C leaves nothing; the next one finds its data', async () => {
  const PORT = String(await freePort())
  const first = start('whole', { PORT })
  await first.until(/Ctrl-C stops everything/)
  const { ADMIN_TOKEN } = JSON.parse(readFileSync(join(first.dataDir, 'secrets.json'), 'utf8'))
  for (const fact of [`http://localhost:${PORT}/docs`, ADMIN_TOKEN, 'org_stand_in', 'curl -X POST']) {
    assert.ok(first.output().includes(fact), fact)
  }
  const processes = everyProcess(first, 'whole')

  const rival = start('whole', { PORT })
  assert.equal(await rival.code, 1)
  assert.match(
    rival.output(),
    /^agent-calendar: DATA_DIR: .* is in use by another npm start.* another DATA_DIR and PORT\n$/,
  )

  // Two signals, as a terminal and npm deliver one key stroke; equal ones could melt into one on the way.
  first.process.kill('SIGINT')
  first.process.kill('SIGHUP')
  assert.equal(await first.code, 0)
  await assertAllGone(processes)
  assert.deepEqual(
    journalOf('whole')
      .filter((line) => line.endsWith('stopped'))
      .sort(),
    ['api stopped', 'workers stopped'],
  )

  const before = performance.now()
  const second = start('whole', { PORT })
  await second.until(/Ctrl-C stops everything/)
  assert.ok(performance.now() - before < 20_000)
  assert.match(second.output(), /Database migrated \(nothing new\)/)
  const { api_key } = JSON.parse(readFileSync(join(first.dataDir, 'demo.json'), 'utf8'))
  for (const run of [first, second]) assert.ok(run.output().includes(api_key))
  second.process.kill('SIGTERM')
  assert.equal(await second.code, 0)
})

test('with sources to watch, a change starts every process again', async () => {
  const WATCHED = mkdtempSync(join(root, 'sources-'))
  const run = start('watched', { PORT: '0', WATCHED })
  await run.until(/Ctrl-C stops everything/)
  const begun = () => journalOf('watched').filter((line) => !line.endsWith('stopped')).length
  const before = begun()
  writeFileSync(join(WATCHED, 'one.ts'), '1')
  await run.until(/one\.ts has changed/)
  while (begun() < before + 2) await new Promise((go) => setTimeout(go, 25))
  assert.doesNotMatch(run.output(), /unexpectedly/)
  run.process.kill('SIGTERM')
  assert.equal(await run.code, 0)
})

test('a killed start leaves nothing behind, and the next one starts at once', async () => {
  const PORT = String(await freePort())
  const first = start('killed', { PORT })
  await first.until(/Ctrl-C stops everything/)
  const processes = everyProcess(first, 'killed')
  first.process.kill('SIGKILL')
  const second = start('killed', { PORT })
  await second.until(/Ctrl-C stops everything/)
  await assertAllGone(processes)
  second.process.kill('SIGHUP')
  assert.equal(await second.code, 0)
})

test('a child that dies is started again', async () => {
  const run = start('revived', { PORT: String(await freePort()) })
  await run.until(/Ctrl-C stops everything/)
  const worker = journalOf('revived').find((line) => line.startsWith('workers'))!
  process.kill(Number(worker.split(' ')[1]), 'SIGKILL')
  await run.until(/workers ended unexpectedly \(SIGKILL\), starting again in 200 ms/)
  while (journalOf('revived').filter((line) => line.startsWith('workers')).length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  run.process.kill('SIGINT')
  assert.equal(await run.code, 0)
})

test('a second Ctrl-C, later, does not wait for a child that will not go', async () => {
  const run = start('forced', { PORT: String(await freePort()) }, ['api', 'workers:stubborn'])
  await run.until(/Ctrl-C stops everything/)
  const processes = everyProcess(run, 'forced')
  run.process.kill('SIGINT')
  await run.until(/Stopping/)
  await new Promise((resolve) => setTimeout(resolve, 900))
  const before = performance.now()
  run.process.kill('SIGINT')
  assert.equal(await run.code, 1)
  assert.ok(performance.now() - before < 12_000)
  await assertAllGone(processes)
})

test('a child that never becomes ready stops everything, with its own line', async () => {
  const run = start('broken', { PORT: String(await freePort()) }, ['api', 'workers:broken'])
  assert.equal(await run.code, 1)
  assert.match(run.output(), /workers: cannot read its configuration\n/)
  assert.match(run.output(), /agent-calendar: workers did not start \(exit code 3\)\n/)
  for (const file of ['postgres.process.json', 'redis.process.json', 'guardian.lock', 'start.lock']) {
    assert.equal(existsSync(join(run.dataDir, file)), false, file)
  }
})

test('a wrong variable is one line that names it, and nothing is written', async () => {
  const wrong = { LOG_LEVEL: 'loud', PORT: '70000', DATABASE_URL: 'mysql://x', ENCRYPTION_KEYS: 'k1:short' }
  for (const [name, value] of Object.entries(wrong)) {
    const run = start('wrong', { DATA_DIR: join(root, 'wrong'), [name]: value })
    assert.equal(await run.code, 1)
    assert.match(run.output(), new RegExp(`^agent-calendar: ${name}: .+\\n$`))
    assert.equal(existsSync(run.dataDir), false)
  }
})

test('a DATA_DIR that can be no folder is one line that says why', async () => {
  const file = join(root, 'file')
  writeFileSync(file, '')
  const cases: [path: string, line: string][] = [
    [file, `${file} is a file, not a folder`],
    [join(file, 'inside'), `${file} is a file, not a folder`],
  ]
  if (process.platform === 'linux') cases.push(['/proc/nope', '/proc/nope cannot be made (ENOENT)'])
  for (const [path, line] of cases) {
    const run = start('misplaced', { DATA_DIR: path })
    assert.equal(await run.code, 1)
    assert.equal(run.output(), `agent-calendar: DATA_DIR: ${line}\n`)
  }
})

test('a database that does not answer is one line that names the variable, without the password', async () => {
  const run = start('unanswered', {
    DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/calendar',
    REDIS_URL: 'redis://127.0.0.1:1',
    PORT: String(await freePort()),
  })
  assert.equal(await run.code, 1)
  const line = 'DATABASE_URL: 127.0.0.1:1 does not answer (ECONNREFUSED). Is Postgres running there?'
  assert.equal(run.output(), `agent-calendar: ${line}\n`)
})

test('a port in use is one line, before any work', async () => {
  const port = await freePort()
  const occupant = createServer().listen(port)
  await once(occupant, 'listening')
  const run = start('occupied', { DATA_DIR: join(root, 'occupied'), PORT: String(port) })
  assert.equal(await run.code, 1)
  assert.match(run.output(), new RegExp(`^agent-calendar: PORT: ${port} is in use, .+\\n$`))
  assert.equal(existsSync(join(run.dataDir, 'postgres')), false)
  occupant.close()
})
