import assert from 'node:assert/strict'
import { openLog } from '../../src/observability/log.ts'
import { makeAgent, makeAgentKey, makeOrganization } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { forgetKeys } from '../../src/testing/redisKeys.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { withoutRedis } from '../../src/testing/withoutRedis.ts'

const test = serviceTest().extend(
  'give',
  perFile,
  ({ call }) =>
    (key: string, body: unknown = fine) =>
      call('POST', '/v1/feedback', { key, body }),
)

const fine = { type: 'bug', message: 'Ten chars.' }
const times = <T>(count: number, run: () => Promise<T>) => Promise.all(Array.from({ length: count }, run))
const accepted = (answers: { status: number }[]) => answers.filter(({ status }) => status === 202).length

test('feedback of any kind is accepted, on every plan and with an agent key', async ({ service, give }) => {
  const bodies = [
    fine,
    { type: 'feature', message: 'x'.repeat(2_000) },
    { type: 'friction', message: 'Too slow for me.', context: {} },
    { ...fine, context: { sdk_name: 'a', deep: [{ b: null }], http_status: 500 } },
  ]
  for (const plan of ['free', 'pro', 'custom'] as const) {
    const { key } = await makeOrganization(service, { plan })
    for (const body of bodies) {
      const answer = await give(key, body)
      assert.deepEqual([answer.status, answer.body], [202, { status: 'accepted' }])
    }
  }
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  assert.equal((await give(await makeAgentKey(service, key, agent.id))).status, 202)
})

const wrong: [body: unknown, param: string | null][] = [
  [{ message: fine.message }, 'type'],
  [{ ...fine, type: 'praise' }, 'type'],
  [{ type: 'bug' }, 'message'],
  [{ ...fine, message: 'nine char' }, 'message'],
  [{ ...fine, message: 'x'.repeat(2_001) }, 'message'],
  [{ ...fine, message: 5 }, 'message'],
  [{ ...fine, context: [] }, 'context'],
  [{ ...fine, context: null }, 'context'],
  [{ ...fine, context: 'text' }, 'context'],
  [{ ...fine, more: 1 }, 'more'],
  [[], null],
]
for (const [body, param] of wrong) {
  test(`${JSON.stringify(body).slice(0, 50)} is refused and does not count`, async ({ service, give }) => {
    const { key } = await makeOrganization(service)
    await times(24, () => give(key))
    assertRefused(await give(key, body), 400, 'validation_error', { param })
    assert.deepEqual([(await give(key)).status, (await give(key)).status], [202, 429])
  })
}

test('25 a day and organization, however many at once; the next one waits for midnight in UTC', async ({
  service,
  give,
}) => {
  const { key } = await makeOrganization(service)
  const { key: neighbour } = await makeOrganization(service)
  await service.clock.set('2026-03-10T21:00:00.000Z')
  const answers = await times(60, () => give(key))
  assert.equal(accepted(answers), 25)
  const refused = answers.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'quota_exceeded')
  assert.equal(refused.headers.get('retry-after'), String(3 * 60 * 60))
  assert.equal((await give(neighbour)).status, 202)
  await service.clock.set('2026-03-10T23:59:59.999Z')
  assert.equal((await give(key)).headers.get('retry-after'), '1')
  await service.clock.set('2026-03-11T00:00:00.000Z')
  assert.equal(accepted(await times(30, () => give(key))), 25)
})

test('agent keys and the organization share the 25, and a flushed or lost Redis changes nothing', async ({
  service,
  give,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  assert.equal(accepted(await times(15, () => give(agentKey))), 15)
  const { redis, config } = service.app
  await forgetKeys(redis, `${config.redisPrefix}:*`)
  assert.equal(accepted(await times(4, () => give(key))), 4)
  await withoutRedis([redis], async () => {
    assert.equal(accepted(await times(20, () => give(key))), 6)
  })
  assertRefused(await give(key), 429, 'quota_exceeded')
})

test('what is logged holds no secret that was pasted in, neither in a value nor in a name', async ({
  service,
  call,
  give,
}) => {
  const { key } = await makeOrganization(service)
  const { secret } = (
    await call('POST', '/v1/webhooks', { key, body: { url: 'https://example.com/hook', events: ['event.created'] } })
  ).body
  const { ical_url } = (await call('POST', '/v1/calendars', { key, body: { name: 'Team', timezone: 'UTC' } })).body
  const secrets = [key, secret, ical_url.split('/').at(-1).replace('.ics', ''), adminToken]
  const pasted = `API_KEY_${key} WEBHOOK_${secret} ${ical_url} ${adminToken} end`
  const lines: string[] = []
  const { log } = service.app
  service.app.log = openLog('info', 'test', { write: (line) => lines.push(line) })
  try {
    const context = { [pasted]: 'seen', deep: [{ [key]: [pasted] }], http_status: 500 }
    assert.equal((await give(key, { type: 'bug', message: pasted, context })).status, 202)
  } finally {
    service.app.log = log
  }
  assert.equal(lines.length, 1)
  const { feedback } = JSON.parse(lines[0]!)
  assert.match(feedback.message, /^API_KEY_svc_sk_… WEBHOOK_whsec_… http.*\/ical\/….ics … end$/)
  assert.deepEqual(feedback.context, {
    // As a name it calls what it names an API key.
    [feedback.message]: '…',
    deep: [{ 'svc_sk_…': [feedback.message] }],
    http_status: 500,
  })
  for (const text of secrets) assert.ok(!lines[0]!.includes(text), text)
})

test('an API call and nothing else is used up', async ({ service, call, give }) => {
  const { key } = await makeOrganization(service)
  const { body: before } = await call('GET', '/v1/usage', { key })
  await give(key)
  const { body: later } = await call('GET', '/v1/usage', { key })
  assert.deepEqual(later, { ...before, api_calls: { ...before.api_calls, used: before.api_calls.used + 2 } })
})

test('without a key it is 401', async ({ call }) => {
  assertRefused(await call('POST', '/v1/feedback', { body: fine }), 401, 'authentication_error')
})
