// Answers of Postgres that belong to another query: forged on the way, because without a fault there are none.
import assert from 'node:assert/strict'
import { sha256 } from '../../src/sealing/sealer.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAccount, password } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeOrganization,
  type TestOrganization,
} from '../../src/testing/factories.ts'
import { openProcess } from '../../src/testing/process.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { openWay } from '../../src/testing/wayToPostgres.ts'

const uuidOf = ({ id }: TestOrganization) => decodeId('org', id)!

const test = serviceTest()
  .extend('way', perFile, async ({ service }, { onCleanup }) => {
    const way = await openWay(service.app.config.databaseUrl)
    onCleanup(async () => {
      await way.close()
    })
    return way
  })
  /** A process that reaches Postgres over the way. */
  .extend('reached', perFile, async ({ service, way }, { onCleanup }) => {
    const reached = await openProcess(service, { config: { databaseUrl: way.url } })
    onCleanup(reached.close)
    return reached
  })
  .override('call', perFile, ({ reached }) => reached.call)
  .extend('foreign', perFile, ({ service }) => makeOrganization(service))
  /** Refused while the answer is forged, its connection closed and counted; right again afterwards. */
  .extend(
    'assertDiscarded',
    perFile,
    ({ way, reached }) =>
      async (ask: () => Promise<Answer>, forgery: (answer: string) => string, status = 200) => {
        const distrusted = async () => {
          const { values } = await reached.app.metrics.postgresConnectionsClosed.get()
          return values.find(({ labels }) => labels.reason === 'distrusted')?.value ?? 0
        }
        assert.equal((await ask()).status, status)
        const before = await distrusted()
        way.forge(forgery)
        const refused = await ask()
        way.forge()
        assert.equal(refused.status, 503)
        assert.equal(refused.body.error.type, 'internal_error')
        assert.ok(refused.headers.get('retry-after'))
        assert.equal(await distrusted(), before + 1)
        assert.equal((await ask()).status, status)
      },
  )

test.beforeEach(({ way }) => way.forge())

test('the row of another key opens nothing', async ({ service, way, call, key }) => {
  const other = await makeOrganization(service)
  const hashes = [key, other.key].map((secret) => sha256(secret).toString('hex'))
  const ask = () => call('GET', '/v1/agents', { key })
  way.forge((answer) => answer.replaceAll(hashes[0]!, hashes[1]!))
  const refused = await ask()
  way.forge()
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('ratelimit-policy'), null)
  assert.equal((await ask()).status, 200)
})

test('the row of another session opens nothing', async ({ service, call, assertDiscarded }) => {
  const { token } = await makeAccount(service)
  const [, claims] = token.split('.')
  const { jti } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { jti: string }
  const another = jti.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  await assertDiscarded(
    () => call('GET', '/v1/auth/me', { key: token }),
    (answer) => answer.replaceAll(jti, another),
  )
})

test('the row of another account signs nobody in', async ({ service, call, assertDiscarded }) => {
  const { email } = await makeAccount(service)
  const another = email.replace(/^./, (first) => (first === 'x' ? 'y' : 'x'))
  await assertDiscarded(
    () => call('POST', '/v1/auth/signin', { body: { email, password } }),
    (answer) => answer.replaceAll(email, another),
  )
})

test("another organization's record never leaves: not alone, not in a list, not in a feed", async ({
  service,
  call,
  organization,
  key,
  foreign,
  assertDiscarded,
}) => {
  const agent = await makeAgent(service, key, { name: 'Marked agent' })
  const calendar = await makeCalendar(service, key, undefined, { name: 'Marked calendar' })
  const event = await makeEvent(service, key, calendar.id, { metadata: { mark: 'Marked event' } })
  const events = `/v1/calendars/${calendar.id}/events`
  const window = `start_after=${ahead(service, 0)}&start_before=${ahead(service, 60 * 24)}`
  for (const [path, mark] of [
    [`/v1/agents/${agent.id}`, 'Marked agent'],
    ['/v1/agents', 'Marked agent'],
    [`/v1/calendars/${calendar.id}`, 'Marked calendar'],
    ['/v1/calendars', 'Marked calendar'],
    [`${events}/${event.id}`, 'Marked event'],
    [events, 'Marked event'],
    [`${events}?expand=true&${window}`, 'Marked event'],
  ] as const) {
    await assertDiscarded(
      () => call('GET', path, { key }),
      (answer) => (answer.includes(mark) ? answer.replaceAll(uuidOf(organization), uuidOf(foreign)) : answer),
    )
  }
  const { pathname } = new URL(calendar.ical_url)
  const hash = sha256(/([^/]+)\.ics$/.exec(pathname)![1]!).toString('hex')
  await assertDiscarded(
    () => call('GET', pathname),
    (answer) => answer.replaceAll(hash, sha256('another').toString('hex')),
  )
})

test('the total of another organization is refused', async ({ call, organization, key, foreign, assertDiscarded }) => {
  const hash = sha256(key).toString('hex')
  await assertDiscarded(
    () => call('GET', '/v1/agents?status=paused', { key }),
    (answer) => (answer.includes(hash) ? answer : answer.replaceAll(uuidOf(organization), uuidOf(foreign))),
  )
})

test('the outcome of another change is not passed off as that of this one', async ({
  call,
  key,
  foreign,
  assertDiscarded,
}) => {
  const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
  const ask = () => call('POST', '/v1/agents', { key, body: { name: 'Changed', type: 'ai' } })
  await assertDiscarded(
    ask,
    // The outcome of a change begins with its id, and names the organizations that have something new.
    (answer) => (/\["[0-9a-f-]{36}"\]/.test(answer) ? answer.replace(uuid, uuidOf(foreign)) : answer),
    201,
  )
})
