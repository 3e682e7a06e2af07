import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, test } from 'vitest'
import { makeAccount } from '../src/testing/accounts.ts'
import { callerOf } from '../src/testing/http.ts'
import { freePort } from './ports.ts'

const parent = mkdtempSync(join(tmpdir(), 'start-test-'))
// So that the account which runs Postgres gets through, and nothing is left elsewhere.
chmodSync(parent, 0o711)
afterAll(() => rmSync(parent, { recursive: true, force: true }))
const dataDir = join(parent, 'data')
const script = fileURLToPath(new URL('./start.ts', import.meta.url))
const curlIsMissing = spawnSync('curl', ['--version']).error !== undefined

/** Other machines, which see another address of this one, find nothing. */
async function assertOnlyHere(ports: number[]) {
  assert.equal(ports.length, 3)
  const outer = Object.values(networkInterfaces()).flatMap((all) => all!.filter(({ internal }) => !internal))
  const hosts = ['127.0.0.2', ...outer.filter(({ family }) => family === 'IPv4').map(({ address }) => address)]
  for (const port of ports) {
    for (const host of hosts) {
      const socket = connect({ host, port })
      const error = await once(socket, 'connect').then(
        () => undefined,
        (refusal: NodeJS.ErrnoException) => refusal.code,
      )
      socket.destroy()
      assert.equal(error, 'ECONNREFUSED', `${host}:${port}`)
    }
  }
}

/** Everything under DATA_DIR, a mail too, is for its owner alone; the account of Postgres may pass through, as its group. */
async function assertClosed(call: ReturnType<typeof callerOf>) {
  const { email } = await makeAccount({ call })
  await call('POST', '/v1/auth/password/forgot', { body: { email } })
  const mails = join(dataDir, 'mail')
  while (!existsSync(mails) || !readdirSync(mails).some((name) => name.endsWith('.eml'))) await pause(50)
  const all = ['.', ...(readdirSync(dataDir, { recursive: true }) as string[])]
  for (const expected of ['start.lock', 'guardian.lock', 'postgres.log', 'redis.process.json', 'demo.json', 'mail']) {
    assert.ok(all.includes(expected), expected)
  }
  const open = all.filter((path) => {
    const found = lstatSync(join(dataDir, path), { throwIfNoEntry: false })
    const allowed = path === '.' && process.getuid?.() === 0 ? 0o010 : 0
    return found && !found.isSymbolicLink() && (found.mode & 0o077 & ~allowed) !== 0
  })
  assert.deepEqual(open, [])
}

/** Node is told to use a proxy, which cannot reach this machine. */
const deadProxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' }

test('the line that a first start prints works as it stands', { skip: Boolean(curlIsMissing) }, async () => {
  const { DATABASE_URL: _, REDIS_URL: __, ...clean } = process.env
  // The umask of the user who starts it lets others read new files.
  const child = spawn('sh', ['-c', 'umask 0; exec "$0" "$1"', process.execPath, script], {
    env: { ...clean, ...deadProxy, DATA_DIR: dataDir, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  afterAll(() => child.kill())
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('Ctrl-C stops everything')) break
  }
  const line = /curl [\s\S]*?\n\n/.exec(output)?.[0]
  assert.ok(line, output)
  const answer = JSON.parse(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout)
  assert.match(answer.id ?? JSON.stringify(answer), /^agt_/)

  const docs = await fetch(/http\S+\/docs/.exec(output)![0])
  assert.equal(docs.status, 200)

  const link = /^ {2}Sign-in link +(\S+)$/m.exec(output)![1]!
  const opened = await Promise.all([fetch(link, { redirect: 'manual' }), fetch(link, { redirect: 'manual' })])
  assert.deepEqual(opened.map(({ status }) => status).sort(), [303, 404])
  const { org_id, data, ...owner } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const body = { email: owner.email, password: owner.password }
  const signedIn = await callerOf(new URL(link).origin)('POST', '/v1/auth/signin', { body })
  assert.equal(signedIn.body.org.id, org_id)
  assert.match(output, /Demo filled/)
  assert.equal(data.done, true)

  // The operator's tools need only its folder.
  const environment = join(dataDir, 'environment')
  assert.equal(statSync(environment).mode & 0o777, 0o600)
  const ops = ['ops/cli/main.ts', 'orgs', 'list', '--json']
  const listed = spawnSync(process.execPath, ops, { env: { DATA_DIR: dataDir }, encoding: 'utf8' })
  assert.equal(listed.status, 0, listed.stderr)
  assert.equal(JSON.parse(listed.stdout).total, 1)
  const { origin } = new URL(/http\S+\/docs/.exec(output)![0])
  const probe = ['ops/health.ts', `${origin}/readyz`]
  const healthy = spawnSync(process.execPath, probe, { env: { ...process.env, ...deadProxy }, encoding: 'utf8' })
  assert.equal(healthy.status, 0, healthy.stderr)
  await assertOnlyHere([origin, ...output.match(/http\S+\/metrics/g)!].map((url) => Number(new URL(url).port)))
  await assertClosed(callerOf(origin))

  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.equal(existsSync(environment), false)
})
