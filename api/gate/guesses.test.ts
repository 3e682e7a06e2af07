// An address that tries wrong tokens and keys is slowed down, and no other one.
import assert from 'node:assert/strict'
import { openLog } from '../../src/observability/log.ts'
import { makeAgent, makeOrganization } from '../../src/testing/factories.ts'
import { guestEnv } from '../../src/testing/guests.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })
  .extend('lines', perFile, ({ service }) => {
    const lines: string[] = []
    service.app.log = openLog('warn', 'test', { write: (line) => lines.push(line) })
    return lines
  })
  .extend(
    'ask',
    perFile,
    ({ call }) =>
      (path: string, ip: string, key?: string) =>
        call('GET', path, { key, headers: { 'x-forwarded-for': ip } }),
  )
  /** Wrong administrator tokens so far. */
  .extend('failures', perFile, ({ service }) => async () => {
    const { values } = await service.app.metrics.adminTokenFailures.get()
    return values[0]?.value ?? 0
  })
  .extend('refusals', perFile, ({ service }) => async (limit: string) => {
    const { values } = await service.app.metrics.throttleRefusals.get()
    return values.find(({ labels }) => labels.limit === limit)?.value ?? 0
  })
  /** How often Postgres was asked whose a key is. */
  .extend('lookups', perFile, ({ service }) => async (statement = 'keys.principalByHash') => {
    const { values } = await service.app.metrics.postgresStatementDuration.get()
    return values
      .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.statement === statement)
      .reduce((sum, { value }) => sum + value, 0)
  })

const unknownKey = (nth: number) => `svc_sk_nobody_has_this_${String(nth).padStart(6, '0')}`

test('after 50 wrong administrator tokens in ten minutes an address is refused, and no other one', async ({
  service,
  lines,
  ask,
  failures,
  refusals,
}) => {
  const [guesser, operator] = ['192.0.2.1', '192.0.2.2']
  const counted = await failures()
  for (let nth = 0; nth < 50; nth++) {
    assertRefused(await ask('/v1/admin/orgs', guesser, `guess-${nth}`), 401, 'authentication_error')
  }
  for (const key of ['guess-50', adminToken]) {
    const refused = await ask('/v1/admin/orgs', guesser, key)
    assertRefused(refused, 429, 'rate_limit_error')
    assert.equal(refused.headers.get('retry-after'), '600')
  }
  assertRefused(await ask('/admin/queues', guesser, adminToken), 429, 'rate_limit_error')
  assert.equal((await ask('/v1/admin/orgs', operator, adminToken)).status, 200)

  assert.equal((await failures()) - counted, 51)
  assert.equal(await refusals('admin_token'), 3)
  const told = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'wrong administrator token')
  assert.equal(told.length, 50)
  assert.deepEqual([...new Set(told.map(({ client }) => client))], [guesser])
  assert.ok(!lines.some((line) => line.includes('guess-')))

  await service.clock.advance(600_001)
  assert.equal((await ask('/v1/admin/orgs', guesser, adminToken)).status, 200)
})

test('a request without a token is no guess', async ({ ask, failures }) => {
  const ip = '192.0.2.3'
  const counted = await failures()
  for (let nth = 0; nth < 60; nth++) {
    const path = nth % 2 === 0 ? '/v1/admin/orgs' : '/admin/queues'
    assertRefused(await ask(path, ip), 401, 'authentication_error')
  }
  assert.equal(await failures(), counted)
  assert.equal((await ask('/v1/admin/orgs', ip, adminToken)).status, 200)
})

test('wrong tokens at the page of the queues count like those at the endpoints', async ({ ask }) => {
  const ip = '192.0.2.4'
  for (let nth = 0; nth < 25; nth++) {
    assertRefused(await ask('/admin/queues', ip, `x${nth}`), 401, 'authentication_error')
    assertRefused(await ask('/v1/admin/orgs', ip, `x${nth}`), 401, 'authentication_error')
  }
  const refused = await ask('/admin/queues', ip, 'x')
  assertRefused(refused, 429, 'rate_limit_error')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

test('an unknown key is looked up once, however often it comes', async ({ ask, lookups }) => {
  const before = await lookups()
  for (let nth = 0; nth < 30; nth++) {
    assertRefused(await ask('/v1/agents', '192.0.2.5', unknownKey(999_999)), 401, 'authentication_error')
  }
  assert.equal((await lookups()) - before, 1)
})

test('an address that tries 600 unknown keys within a minute must wait; a known key still works', async ({
  service,
  ask,
  refusals,
  lookups,
}) => {
  const { key } = await makeOrganization(service)
  const { key: another } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const ip = '192.0.2.6'
  assert.equal((await ask('/v1/agents', ip, key)).status, 200)
  for (let from = 0; from < 600; from += 50) {
    const asked = Array.from({ length: 50 }, (_, nth) => ask('/v1/agents', ip, unknownKey(from + nth)))
    for (const answer of await Promise.all(asked)) assertRefused(answer, 401, 'authentication_error')
  }
  const before = await lookups()
  const refused = await ask('/v1/agents', ip, unknownKey(600))
  assertRefused(refused, 429, 'rate_limit_error')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  assert.equal(await lookups(), before)
  assertRefused(await ask('/v1/agents', ip, unknownKey(0)), 401, 'authentication_error')

  assert.equal((await ask(`/v1/agents/${agent.id}`, ip, key)).status, 200)
  assert.equal(await refusals('unknown_keys'), 1)

  // Behind one address with a guesser, keys that this process has not met yet work at once: they share few reads of Postgres.
  const reads = await lookups('keys.principalsByHashes')
  const flood = Array.from({ length: 150 }, (_, nth) => ask('/v1/agents', ip, unknownKey(700 + nth)))
  assert.equal((await ask('/v1/agents', ip, another)).status, 200)
  for (const answer of await Promise.all(flood)) assertRefused(answer, 429, 'rate_limit_error')
  assert.ok((await lookups('keys.principalsByHashes')) - reads < 75)
  // A known key is read again after some seconds.
  assert.ok((await lookups()) - before < 75)
  assertRefused(await ask('/v1/agents', '192.0.2.7', unknownKey(601)), 401, 'authentication_error')

  await service.clock.advance(60_000)
  assertRefused(await ask('/v1/agents', ip, unknownKey(600)), 401, 'authentication_error')
})
