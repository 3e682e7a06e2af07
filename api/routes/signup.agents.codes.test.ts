import assert from 'node:assert/strict'
import { makeAgent, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { codeTo, mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { assertGeneric, otherThan, sandboxTest } from '../../src/testing/sandboxes.ts'

const test = sandboxTest()

test('the code comes by mail, six digits, and lifts the caps at once everywhere: same key, same data', async ({
  service,
  call,
  second,
  verify,
  makeSandbox,
  orgById,
}) => {
  const { email, key, orgId, agentId } = await makeSandbox()
  const another = { name: 'Second', type: 'ai' }
  const calendar = await makeCalendar(service, key, agentId)
  await makeEvent(service, key, calendar.id)
  assertRefused(await second.call('POST', '/v1/agents', { key, body: another }), 429, 'quota_exceeded')
  const [mail] = await mailsTo(service, email)
  assert.equal(mail?.subject, 'Your verification code')
  const { status, body } = await verify(key, await codeTo(service, email))
  assert.equal(status, 200)
  assert.deepEqual([Object.keys(body), body.verified], [['verified', 'message'], true])
  const made = await second.call('POST', '/v1/agents', { key, body: another })
  assert.equal(made.status, 201)
  assert.match(made.headers.get('ratelimit-policy') ?? '', /q=50000;/)
  assert.equal((await call('GET', `/v1/calendars/${calendar.id}/events`, { key })).body.total, 1)
  const org = await orgById(orgId)
  assert.deepEqual([org.plan, org.verification_status, org.email_verified], ['free-agent', 'verified', true])
})

test('a second verification is refused like a wrong code', async ({ service, verify, makeSandbox }) => {
  const { email, key } = await makeSandbox()
  const code = await codeTo(service, email)
  assert.equal((await verify(key, code)).status, 200)
  assertGeneric(await verify(key, code))
})

test('a wrong code, an expired one and one without attempts left are refused alike', async ({
  service,
  verify,
  makeSandbox,
}) => {
  const wrong = await makeSandbox()
  const code = await codeTo(service, wrong.email)
  const refused = await verify(wrong.key, otherThan(code))
  assertGeneric(refused)

  const worn = await makeSandbox()
  const wornCode = await codeTo(service, worn.email)
  for (let n = 0; n < 10; n++) assertGeneric(await verify(worn.key, otherThan(wornCode)))
  assertGeneric(await verify(worn.key, wornCode))

  const expired = await makeSandbox()
  const expiredCode = await codeTo(service, expired.email)
  await service.clock.advance(10 * 60_000)
  assertGeneric(await verify(expired.key, expiredCode))
})

test('a code is good until the last moment, and for its tenth attempt', async ({ service, verify, makeSandbox }) => {
  const late = await makeSandbox()
  const code = await codeTo(service, late.email)
  for (let n = 0; n < 9; n++) await verify(late.key, otherThan(code))
  await service.clock.advance(10 * 60_000 - 1)
  assert.equal((await verify(late.key, code)).status, 200)
})

test('anything but six digits is a validation_error and takes no attempt', async ({ service, verify, makeSandbox }) => {
  const { email, key } = await makeSandbox()
  const code = await codeTo(service, email)
  for (let n = 0; n < 3; n++) {
    for (const otp of [undefined, null, '', '12345', '1234567', '12345x', ' 123456', Number(code), '１２３４５６']) {
      assertRefused(await verify(key, otp), 400, 'validation_error', { param: 'otp' })
    }
  }
  assert.equal((await verify(key, code)).status, 200)
})

test('guesses made at once get ten attempts together', async ({ service, second, verify, makeSandbox }) => {
  const { email, key } = await makeSandbox()
  const code = await codeTo(service, email)
  const guesses = Array.from({ length: 30 }, (_, n) => verify(key, otherThan(code), n % 2 ? second : service))
  for (const answer of await Promise.all(guesses)) assertGeneric(answer)
  const [row] = await service.app.sql`
    select attempts from verification_codes order by created_at desc, org_id desc limit 1`
  assert.equal(row?.attempts, 10)
  assertGeneric(await verify(key, code))
})

test('of twenty right codes at once, one verifies', async ({ service, verify, makeSandbox }) => {
  const { email, key } = await makeSandbox()
  const code = await codeTo(service, email)
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(key, code)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) assertGeneric(answer)
})

test('the code of one organization does not verify another', async ({ service, verify, makeSandbox }) => {
  const [mine, other] = [await makeSandbox(), await makeSandbox()]
  const code = await codeTo(service, other.email)
  if (code !== (await codeTo(service, mine.email))) assertGeneric(await verify(mine.key, code))
  assertGeneric(await verify((await makeOrganization(service)).key, code))
  assert.equal((await verify(other.key, code)).status, 200)
})

test('verifying needs the key of the organization', async ({ service, call, verify }) => {
  const { body } = await call('POST', '/v1/agent/verify', { body: { otp: '123456' } })
  assert.equal(body.error.type, 'authentication_error')
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const { key: agentKey } = (await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })).body
  assertRefused(await verify(agentKey, '123456'), 403, 'forbidden')
})

test('an organization that used up the calls of the sandbox can still verify', async ({
  service,
  call,
  verify,
  makeSandbox,
}) => {
  const { email, key } = await makeSandbox()
  const code = await codeTo(service, email)
  for (let n = 0; n < 1_000; n += 100) {
    await Promise.all(Array.from({ length: 100 }, () => call('GET', '/v1/agents', { key })))
  }
  assertRefused(await call('GET', '/v1/agents', { key }), 429, 'quota_exceeded')
  assert.equal((await verify(key, code)).status, 200)
  assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
})
