// Providers whose answers cost much to read: they may cost a thread its time, and the process next to nothing.
import assert from 'node:assert/strict'
import { googleProvider } from '../providers/google.ts'
import { googleOauth } from '../providers/googleOauth.ts'
import { microsoftProvider } from '../providers/microsoft.ts'
import { microsoftOauth } from '../providers/microsoftOauth.ts'
import type { Provider, ReadTask } from '../providers/provider.ts'
import { connectionTest } from '../testing/connections.ts'
import { hostileJson, hostileXml, openHostileServer } from '../testing/hostileAnswers.ts'
import { perFile } from '../testing/test.ts'
import { providerOf } from './providers.ts'

const test = connectionTest()
  .extend('dav', perFile, async ({ options: _ }, { onCleanup }) => {
    const server = await openHostileServer(207, 'application/xml')
    onCleanup(server.close)
    return server
  })
  .extend('api', perFile, async ({ options: _ }, { onCleanup }) => {
    const server = await openHostileServer(200, 'application/json')
    onCleanup(server.close)
    return server
  })

/** Unpacking takes some of it. Read by the process itself, such an answer took up to 3,000 ms. */
const maxMs = 200

/** How long the thread of the process works meanwhile: up to six times until it is `enoughMs`, because other work counts as well. */
async function loopMsOf(enoughMs: number, work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 6 && least > enoughMs; tries++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

const task: ReadTask = {
  remote: '/',
  zone: 'UTC',
  horizon: { from: new Date('2026-03-01T00:00:00Z'), until: new Date('2026-04-01T00:00:00Z') },
  known: undefined,
  digest: (text) => text,
}

async function isGivenUp(provider: Provider, account: { credentials: string; server: string }, remote: string) {
  const outcomes: string[] = []
  const listed = await provider.listCalendars(account)
  const read = await provider.read(account, [{ ...task, remote }], async (_, result) => void outcomes.push(result.kind))
  outcomes.push(read.kind === 'done' ? outcomes[0]! : read.kind)
  return [listed.kind, outcomes.at(-1)]
}

for (const [shape, text] of Object.entries(hostileXml)) {
  test(`${shape} of a CalDAV server cost the process next to nothing`, async ({ service, desk, dav }) => {
    dav.answer(text)
    const ms = await loopMsOf(maxMs, async () => {
      const answer = await desk.connect({ server_url: dav.origin })
      assert.ok([400, 502].includes(answer.status), JSON.stringify(answer.body))
    })
    assert.ok(ms <= maxMs, `connecting: ${ms} ms`)
    const provider = providerOf(service.app, 'caldav', desk.orgId)!
    const { origin } = dav
    const account = {
      credentials: JSON.stringify({ username: 'ada', password: 'x' }),
      server: JSON.stringify({ origin, principal: `${origin}/`, home: `${origin}/home/`, inbox: null, addresses: [] }),
    }
    const readMs = await loopMsOf(3 * maxMs, async () => {
      const [listed, read] = await isGivenUp(provider, account, `${origin}/home/`)
      assert.deepEqual([listed, read], ['failed', 'failed'])
    })
    assert.ok(readMs <= 3 * maxMs, `three answers: ${readMs} ms`)
  })
}

for (const [shape, text] of Object.entries(hostileJson)) {
  test(`${shape} of Google or Microsoft cost the process next to nothing`, async ({ service, desk, api }) => {
    api.answer(text)
    const reader = service.app.foreign.of(desk.orgId)
    const names = { client_id: 'x', client_secret: 'x' }
    const { origin } = api
    const google = { ...names, issuer: origin, authorization_url: origin, token_url: origin, revocation_url: origin }
    const microsoft = { ...names, tenant: 'common', issuer: origin, login_url: origin, api_url: origin }
    const providers = [
      googleProvider(service.app.http, reader, googleOauth({ ...google, api_url: origin })),
      microsoftProvider(service.app.http, reader, microsoftOauth(microsoft)),
    ]
    for (const provider of providers) {
      const ms = await loopMsOf(3 * maxMs, async () => {
        const [, read] = await isGivenUp(provider, { credentials: 'x', server: origin }, 'primary')
        assert.equal(read, 'failed')
      })
      assert.ok(ms <= 3 * maxMs, `${ms} ms`)
    }
  })
}
