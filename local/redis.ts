// A private redis-server (or valkey-server) on 127.0.0.1, append-only, that never evicts: its keys are queued jobs.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { type EndStep, endLeftover, writeRecord } from './processes.ts'
import { lastLine, openLog } from './serverLog.ts'
import { type Store, type StoreOptions, storeOf } from './store.ts'

/** On SIGTERM Redis writes everything to disk and ends. */
const endSteps: EndStep[] = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5000],
]

export async function startRedis({ dataDir: dir, durable, port: fixedPort }: StoreOptions): Promise<Store> {
  const dataDir = resolve(dir)
  const directory = join(dataDir, 'redis')
  const recordFile = join(dataDir, 'redis.process.json')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  await endLeftover(recordFile, endSteps)
  const program = createRequire(import.meta.url)('./prepare.cjs').findRedisServer()
  if (!program) throw new Error('Redis is missing: install redis-server (or valkey-server), or set REDIS_URL')
  const port = fixedPort ?? (await freePort())
  const password = ensurePassword(join(directory, 'password'))
  const config = join(directory, 'redis.conf')
  writeFileSync(config, configText({ port, password, directory, durable }), { mode: 0o600 })
  const logFile = join(dataDir, 'redis.log')
  const log = openLog(logFile)
  const child = spawn(program, [config], { cwd: directory, detached: true, stdio: ['ignore', log.fd, log.fd] })
  log.close()
  if (child.pid) writeRecord(recordFile, child.pid)
  await waitUntilAnswering(child, port, password).catch((error: Error) => {
    throw new Error(
      `Redis did not start: ${error.message || lastLine(logFile, /FATAL|Fatal|error|#/)} (see ${logFile})`,
    )
  })
  const url = `redis://:${password}@127.0.0.1:${port}`
  return storeOf(child, { url, port, directory, recordFile, endSteps })
}

function ensurePassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** As Redis reads an argument of a line: a path may contain anything. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`

type Settings = { port: number; password: string; directory: string; durable: boolean }

const configText = ({ port, password, directory, durable }: Settings) => `
bind 127.0.0.1
port ${port}
requirepass ${password}
dir ${quoted(directory)}
daemonize no
save ""
appendonly ${durable ? 'yes' : 'no'}
appendfsync everysec
maxmemory-policy noeviction
`

/** Rejects with an empty message when the process ended: the reason is in its log. */
async function waitUntilAnswering(child: ChildProcess, port: number, password: string): Promise<void> {
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const until = performance.now() + 30_000
  for (;;) {
    if (failure) throw failure
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('')
    if (await answers(port, password)) return
    if (performance.now() > until) throw new Error('no answer within 30 s')
    await pause(15)
  }
}

/** While it reads its files it answers LOADING, which is not PONG. */
function answers(port: number, password: string): Promise<boolean> {
  return new Promise((settle) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\nQUIT\r\n`))
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => settle(false))
    socket.on('close', () => settle(text.includes('+PONG')))
  })
}
