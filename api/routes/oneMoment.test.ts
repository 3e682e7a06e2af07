// A change has one moment: what is answered is what is stored, on a clock that goes on with every look at it.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { sha256 } from '../../src/sealing/sealer.ts'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService } from '../../src/testing/harness.ts'
import { openProcess, type TestProcess } from '../../src/testing/process.ts'

let stores: TestService
let process: TestProcess
/** The service as its clients see it, on the ticking clock. */
let service: TestService
let call: TestService['call']
let key: string

beforeAll(async () => {
  stores = await openTestService()
  let ticks = 0
  process = await openProcess(stores, { clock: { now: () => new Date(stores.clock.now().getTime() + ++ticks) } })
  service = { ...stores, app: process.app, call: process.call }
  call = service.call
  key = (await makeOrganization(service)).key
})
afterAll(async () => {
  await process.close()
  await stores.close()
})

const done = async (method: string, path: string, body?: object, by = key) => {
  const answer = await call(method, path, { key: by, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const read = (path: string, by = key) => done('GET', path, undefined, by)

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Record = any

/** What was answered is what is read afterwards, in every field that both have. */
async function sameAs(answered: Record, stored: Promise<Record>) {
  const found = await stored
  for (const field of Object.keys(answered)) {
    if (field in found) assert.deepEqual(answered[field], found[field], field)
  }
}

test('agents', async () => {
  const made = await makeAgent(service, key)
  assert.equal(made.createdAt, made.updatedAt)
  await sameAs(made, read(`/v1/agents/${made.id}`))
  await sameAs(await done('PATCH', `/v1/agents/${made.id}`, { name: 'Other' }), read(`/v1/agents/${made.id}`))
})

test('calendars and their rules', async () => {
  const made = await makeCalendar(service, key)
  const path = `/v1/calendars/${made.id}`
  assert.equal(made.createdAt, made.updatedAt)
  await sameAs(made, read(path))
  await sameAs(await done('PATCH', path, { name: 'Other' }), read(path))
  const rules = `${path}/availability-rules`
  for (let n = 0; n < 2; n++) await sameAs(await done('PUT', rules, { buffer_before_minutes: n }), read(rules))
})

test('events, holds and series', async () => {
  const { id: calendarId } = await makeCalendar(service, key)
  const path = (id: string) => `/v1/calendars/${calendarId}/events/${id}`
  const event = await makeEvent(service, key, calendarId)
  assert.equal(event.createdAt, event.updatedAt)
  await sameAs(event, read(path(event.id)))
  await sameAs(await done('PATCH', path(event.id), { title: 'Other' }), read(path(event.id)))
  const times = { start_time: ahead(stores, 24 * 60), end_time: ahead(stores, 24 * 60 + 30) }
  await sameAs(await done('PATCH', path(event.id), times), read(path(event.id)))
  for (const turn of ['confirm', 'release']) {
    const hold = await makeHold(service, key, calendarId, {
      start_time: ahead(stores, turn === 'confirm' ? 200 : 300),
      end_time: ahead(stores, turn === 'confirm' ? 230 : 330),
    })
    await sameAs(hold, read(path(hold.id)))
    await sameAs(await done('PUT', `/v1/events/${hold.id}/${turn}`), read(path(hold.id)))
  }
  const series = await makeEvent(service, key, calendarId, { recurrence_rule: 'FREQ=DAILY;COUNT=5' })
  await sameAs(series, read(path(series.id)))
  const occurrence = encodeURIComponent(ahead(stores, 60 + 24 * 60))
  await sameAs(await done('DELETE', `${path(series.id)}?occurrence_start=${occurrence}`), read(path(series.id)))
  await sameAs(await done('PATCH', path(series.id), { recurrence_rule: 'FREQ=DAILY;COUNT=4' }), read(path(series.id)))
})

test('proposals and responses', async () => {
  const [organizer, one, two] = await Promise.all([1, 2, 3].map(() => makeAgent(service, key)))
  const { id: calendar_id } = await makeCalendar(service, key)
  const made = await makeProposal(service, key, {
    organizer_agent_id: organizer.id,
    participant_agent_ids: [one.id, two.id],
    calendar_id,
  })
  const path = `/v1/scheduling/proposals/${made.id}`
  assert.equal(made.created_at, made.updated_at)
  await sameAs(made, read(path))
  const whole = await read(path)
  const response = await done('POST', `${path}/respond`, {
    agent_id: one.id,
    response: 'accept',
    selected_slot_id: whole.slots[0].id,
  })
  const later = await read(path)
  assert.deepEqual(later.responses, [response])
  assert.equal(later.updated_at, response.created_at)
  await done('POST', `${path}/respond`, { agent_id: two.id, response: 'decline' })
  const ended = await read(path)
  const event = await read(`/v1/calendars/${calendar_id}/events/${ended.created_event_id}`)
  assert.equal(ended.updated_at, event.createdAt)
})

test('webhooks', async () => {
  const made = await makeWebhook(service, key, 'https://example.com/hook', ['event.created'])
  const path = `/v1/webhooks/${made.id}`
  await sameAs(made, read(path))
  await sameAs(await done('PATCH', path, { active: false }), read(path))
})

test('feed subscriptions', async () => {
  const agent = await makeAgent(service, key)
  const { id: calendar_id } = await makeCalendar(service, key, agent.id)
  const made = await done('POST', `/v1/agents/${agent.id}/ical-subscriptions`, {
    calendar_id,
    url: 'https://example.com/a.ics',
  })
  const path = `/v1/ical-subscriptions/${made.id}`
  await sameAs(made, read(path))
  await sameAs(await done('PATCH', path, { label: 'Other' }), read(path))
})

test('booking pages and bookings', async () => {
  const { id: calendar_id } = await makeCalendar(service, key)
  const made = await done('POST', '/v1/booking-pages', { calendar_id, title: 'Page' })
  const path = `/v1/booking-pages/${made.id}`
  assert.equal(made.created_at, made.updated_at)
  await sameAs(made, read(path))
  await sameAs(await done('PATCH', path, { title: 'Other' }), read(path))
})

test('agent keys', async () => {
  const listed = async (by: string, id: string) =>
    (await read('/v1/keys', by)).keys.find((record: Record) => record.id === id)
  const { id: agent_id } = await makeAgent(service, key)
  const made = await done('POST', '/v1/keys', { agent_id })
  await sameAs(made, listed(key, made.id))

  const account = await makeAccount(service)
  await done('PATCH', `/v1/admin/orgs/${account.orgId}`, { plan: 'pro' }, adminToken)
  const own = (await done('POST', '/v1/auth/keys', {}, account.token)).key
  const agent = await makeAgent(service, own)
  const scoped = await done('POST', '/v1/auth/keys/scoped', { agent_id: agent.id }, account.token)
  await sameAs(scoped, listed(own, scoped.id))
})

test('organizations, and their keys', async () => {
  const made = await done(
    'POST',
    '/v1/admin/orgs',
    { name: 'Other', email: 'other@example.com', plan: 'pro' },
    adminToken,
  )
  const listed = async (email: string) => (await read(`/v1/admin/orgs?email=${email}`, adminToken)).data[0]
  assert.equal(made.org.created_at, made.org.updated_at)
  await sameAs(made.org, listed('other@example.com'))
  const [own] = await stores.app.sql`select created_at from api_keys where hash = ${sha256(made.api_key)}`
  assert.equal(own?.createdAt.toISOString(), made.org.created_at)
  const path = `/v1/admin/orgs/${made.org.id}`
  await sameAs(await done('PATCH', path, { is_waitlisted: true }, adminToken), listed('other@example.com'))
  await sameAs(await done('POST', `${path}/activate`, {}, adminToken), listed('other@example.com'))
  const account = await makeAccount(service)
  const minted = await done('POST', '/v1/auth/keys', {}, account.token)
  await sameAs(
    minted,
    read('/v1/auth/export', account.token).then((file) => file.api_keys[0]),
  )
})

test('terms', async () => {
  const tos_version = (await call('GET', '/v1/auth/terms/current')).body.version
  const account = await makeAccount(service)
  const acceptances = async (orgId: string) => {
    const rows = await stores.app.sql<{ acceptedAt: Date; inRecord: Date; createdAt: Date }[]>`
      select a.accepted_at, o.accepted_terms_at as in_record, o.created_at from terms_acceptances a
      join organizations o on o.id = a.org_id
      join audit_entries e on e.org_id = a.org_id and e.action = 'auth.signup'
      where e.resource = ${orgId} order by a.id desc limit 1`
    return rows[0]!
  }
  const signedUp = await acceptances(account.orgId)
  assert.deepEqual(signedUp.acceptedAt, signedUp.inRecord, 'by signing up')
  assert.deepEqual(signedUp.createdAt, signedUp.inRecord, 'by signing up')

  const { data } = await done('PATCH', '/v1/auth/terms', { tos_version }, account.token)
  const { tos_acceptances, org } = await read('/v1/auth/export', account.token)
  assert.equal(data.accepted_terms_at, tos_acceptances.at(-1).accepted_at, 'by accepting')
  assert.equal(data.accepted_terms_at, org.accepted_terms_at, 'by accepting')

  const email = freshEmail()
  await call('POST', '/v1/waitlist', { body: { email, tos_version } })
  const [waiting] = (await read(`/v1/admin/orgs?email=${email}`, adminToken)).data
  const joined = await acceptances(waiting.id)
  assert.deepEqual(joined.acceptedAt, joined.inRecord, 'by waiting')
  await call('POST', '/v1/auth/signup', { body: { email, password, tos_version } })
  const claimed = await acceptances(waiting.id)
  assert.deepEqual(claimed.acceptedAt, claimed.inRecord, 'by signing up to the organization that waits')

  const agent = await call('POST', '/v1/agent/sign-up', { body: { email: freshEmail(), agent_name: 'A', tos_version } })
  const sandboxed = await acceptances(agent.body.org_id)
  assert.deepEqual(sandboxed.acceptedAt, sandboxed.inRecord, 'by an agent')
})

test('the last response at the moment of expiry either confirms the proposal or is none', async () => {
  const [organizer, participant] = await Promise.all([1, 2].map(() => makeAgent(service, key)))
  const { id: calendar_id } = await makeCalendar(service, key)
  const outcomes = new Set<string>()
  for (let early = 0; early < 16; early++) {
    const expires_at = ahead(service, 5)
    const { id } = await makeProposal(service, key, {
      organizer_agent_id: organizer.id,
      participant_agent_ids: [participant.id],
      calendar_id,
      expires_at,
    })
    const path = `/v1/scheduling/proposals/${id}`
    const [{ id: selected_slot_id }] = (await read(path)).slots
    const waitMs = Date.parse(expires_at) - early - process.app.clock.now().getTime()
    await stores.clock.set(new Date(stores.clock.now().getTime() + waitMs))
    const body = { agent_id: participant.id, response: 'accept', selected_slot_id }
    const { status } = await call('POST', `${path}/respond`, { key, body })
    const ended = await read(path)
    outcomes.add(`${status} ${ended.status} ${ended.responses.length}`)
  }
  assert.deepEqual([...outcomes].sort(), ['200 confirmed 1', '409 expired 0'])
})
