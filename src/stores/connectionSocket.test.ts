import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import type { TestContext } from 'vitest'
import { directly, type TestService } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'
import { openDb } from './postgres.ts'

const test = serviceTest()
type Ending = Pick<TestContext, 'onTestFinished'>

function makeCertificate({ onTestFinished }: Ending) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-calendar-tls-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(directory, name)) as [string, string]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', ...curve, '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert]
  execFileSync('openssl', made, { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

/** A server in front of Postgres that speaks TLS, or says that it does not. */
async function openTlsWay(
  service: TestService,
  { onTestFinished }: Ending,
  certificate?: ReturnType<typeof makeCertificate>,
) {
  const real = new URL(directly(service.app.config.databaseUrl))
  const target = new URL(real)
  const seen = { encrypted: 0, plain: 0 }
  const pass = (client: Socket, first?: Buffer) => {
    const postgres = connect(Number(real.port), real.hostname)
    if (first) postgres.write(first)
    client.pipe(postgres).pipe(client)
    for (const socket of [client, postgres]) socket.on('error', () => undefined)
    client.on('close', () => postgres.destroy())
  }
  const server = createServer((client) => {
    client.on('error', () => undefined)
    const passPlain = (first: Buffer) => {
      seen.plain++
      pass(client, first)
    }
    client.once('data', (request) => {
      if (request.length !== 8) return passPlain(request)
      client.write(certificate ? 'S' : 'N')
      if (!certificate) return client.once('data', passPlain)
      seen.encrypted++
      pass(new TLSSocket(client, { isServer: true, ...certificate }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(async () => {
    await server.close()
  })
  target.hostname = 'localhost'
  target.port = String((server.address() as AddressInfo).port)
  return {
    seen,
    async ask(sslmode?: string) {
      if (sslmode) target.searchParams.set('sslmode', sslmode)
      const sql = openDb(target.href, { connections: 1, deadlineMs: 5_000, name: 'tls' })
      try {
        return (await sql`select 1 as one`)[0].one
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
  }
}

const withoutOpenssl = spawnSync('openssl', ['version']).status !== 0 && !process.env.CI

test.skipIf(withoutOpenssl)(
  'sslmode=require encrypts the connection; verify-full wants a known certificate',
  async ({ service, onTestFinished }) => {
    const way = await openTlsWay(service, { onTestFinished }, makeCertificate({ onTestFinished }))
    assert.equal(await way.ask(), 1)
    assert.deepEqual(way.seen, { encrypted: 0, plain: 1 })
    assert.equal(await way.ask('require'), 1)
    assert.deepEqual(way.seen, { encrypted: 1, plain: 1 })
    await assert.rejects(way.ask('verify-full'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  },
)

test('a server without TLS gets nothing in the clear, unless sslmode allows it', async ({
  service,
  onTestFinished,
}) => {
  const way = await openTlsWay(service, { onTestFinished })
  await assert.rejects(way.ask('require'), /does not offer TLS/)
  await assert.rejects(way.ask('verify-full'), /does not offer TLS/)
  assert.deepEqual(way.seen, { encrypted: 0, plain: 0 })
  assert.equal(await way.ask('prefer'), 1)
})
