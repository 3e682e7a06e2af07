// A change has one moment: the answer has the same times as the stored record, on a clock that ticks each time it is read.
import assert from 'node:assert/strict'
import { sha256 } from '../../src/sealing/sealer.ts'
import { freshEmail, makeAccount, password } from '../../src/testing/accounts.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
  .override('second', perFile, async ({ service }, { onCleanup }) => {
    let ticks = 0
    const clock = { now: () => new Date(service.clock.now().getTime() + ++ticks) }
    const second = await openProcess(service, { clock })
    onCleanup(second.close)
    return second
  })
  /** The service as its clients see it, on the ticking clock. */
  .extend(
    'ticking',
    perFile,
    ({ service, second }): TestService => ({ ...service, app: second.app, call: second.call }),
  )
  .extend('desk', perFile, ({ ticking, key }) => {
    const done = async (method: string, path: string, body?: object, by = key) => {
      const answer = await ticking.call(method, path, { key: by, body })
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    return { done, read: (path: string, by = key) => done('GET', path, undefined, by) }
  })

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Record = any

/** The answer equals the record that is read afterwards, in every field that both have. */
async function sameAs(answered: Record, stored: Promise<Record>) {
  const found = await stored
  for (const field of Object.keys(answered)) {
    if (field in found) assert.deepEqual(answered[field], found[field], field)
  }
}

test('agents', async ({ ticking, key, desk }) => {
  const made = await makeAgent(ticking, key)
  assert.equal(made.createdAt, made.updatedAt)
  await sameAs(made, desk.read(`/v1/agents/${made.id}`))
  await sameAs(await desk.done('PATCH', `/v1/agents/${made.id}`, { name: 'Other' }), desk.read(`/v1/agents/${made.id}`))
})

test('calendars and their rules', async ({ ticking, key, desk }) => {
  const made = await makeCalendar(ticking, key)
  const path = `/v1/calendars/${made.id}`
  assert.equal(made.createdAt, made.updatedAt)
  await sameAs(made, desk.read(path))
  await sameAs(await desk.done('PATCH', path, { name: 'Other' }), desk.read(path))
  const rules = `${path}/availability-rules`
  for (let n = 0; n < 2; n++)
    await sameAs(await desk.done('PUT', rules, { buffer_before_minutes: n }), desk.read(rules))
})

test('events, holds and series', async ({ ticking, service, key, desk }) => {
  const { id: calendarId } = await makeCalendar(ticking, key)
  const path = (id: string) => `/v1/calendars/${calendarId}/events/${id}`
  const event = await makeEvent(ticking, key, calendarId)
  assert.equal(event.createdAt, event.updatedAt)
  await sameAs(event, desk.read(path(event.id)))
  await sameAs(await desk.done('PATCH', path(event.id), { title: 'Other' }), desk.read(path(event.id)))
  const times = { start_time: ahead(service, 24 * 60), end_time: ahead(service, 24 * 60 + 30) }
  await sameAs(await desk.done('PATCH', path(event.id), times), desk.read(path(event.id)))
  for (const turn of ['confirm', 'release']) {
    const hold = await makeHold(ticking, key, calendarId, {
      start_time: ahead(service, turn === 'confirm' ? 200 : 300),
      end_time: ahead(service, turn === 'confirm' ? 230 : 330),
    })
    await sameAs(hold, desk.read(path(hold.id)))
    await sameAs(await desk.done('PUT', `/v1/events/${hold.id}/${turn}`), desk.read(path(hold.id)))
  }
  const series = await makeEvent(ticking, key, calendarId, { recurrence_rule: 'FREQ=DAILY;COUNT=5' })
  await sameAs(series, desk.read(path(series.id)))
  const occurrence = encodeURIComponent(ahead(service, 60 + 24 * 60))
  await sameAs(
    await desk.done('DELETE', `${path(series.id)}?occurrence_start=${occurrence}`),
    desk.read(path(series.id)),
  )
  await sameAs(
    await desk.done('PATCH', path(series.id), { recurrence_rule: 'FREQ=DAILY;COUNT=4' }),
    desk.read(path(series.id)),
  )
})

test('proposals and responses', async ({ ticking, key, desk }) => {
  const [organizer, one, two] = await Promise.all([1, 2, 3].map(() => makeAgent(ticking, key)))
  const { id: calendar_id } = await makeCalendar(ticking, key)
  const made = await makeProposal(ticking, key, {
    organizer_agent_id: organizer.id,
    participant_agent_ids: [one.id, two.id],
    calendar_id,
  })
  const path = `/v1/scheduling/proposals/${made.id}`
  assert.equal(made.created_at, made.updated_at)
  await sameAs(made, desk.read(path))
  const whole = await desk.read(path)
  const response = await desk.done('POST', `${path}/respond`, {
    agent_id: one.id,
    response: 'accept',
    selected_slot_id: whole.slots[0].id,
  })
  const later = await desk.read(path)
  assert.deepEqual(later.responses, [response])
  assert.equal(later.updated_at, response.created_at)
  await desk.done('POST', `${path}/respond`, { agent_id: two.id, response: 'decline' })
  const ended = await desk.read(path)
  const event = await desk.read(`/v1/calendars/${calendar_id}/events/${ended.created_event_id}`)
  assert.equal(ended.updated_at, event.createdAt)
})

test('webhooks', async ({ ticking, key, desk }) => {
  const made = await makeWebhook(ticking, key, 'https://example.com/hook', ['event.created'])
  const path = `/v1/webhooks/${made.id}`
  await sameAs(made, desk.read(path))
  await sameAs(await desk.done('PATCH', path, { active: false }), desk.read(path))
})

test('feed subscriptions', async ({ ticking, key, desk }) => {
  const agent = await makeAgent(ticking, key)
  const { id: calendar_id } = await makeCalendar(ticking, key, agent.id)
  const made = await desk.done('POST', `/v1/agents/${agent.id}/ical-subscriptions`, {
    calendar_id,
    url: 'https://example.com/a.ics',
  })
  const path = `/v1/ical-subscriptions/${made.id}`
  await sameAs(made, desk.read(path))
  await sameAs(await desk.done('PATCH', path, { label: 'Other' }), desk.read(path))
})

test('booking pages and bookings', async ({ ticking, key, desk }) => {
  const { id: calendar_id } = await makeCalendar(ticking, key)
  const made = await desk.done('POST', '/v1/booking-pages', { calendar_id, title: 'Page' })
  const path = `/v1/booking-pages/${made.id}`
  assert.equal(made.created_at, made.updated_at)
  await sameAs(made, desk.read(path))
  await sameAs(await desk.done('PATCH', path, { title: 'Other' }), desk.read(path))
})

test('agent keys', async ({ ticking, key, desk }) => {
  const listed = async (by: string, id: string) =>
    (await desk.read('/v1/keys', by)).keys.find((record: Record) => record.id === id)
  const { id: agent_id } = await makeAgent(ticking, key)
  const made = await desk.done('POST', '/v1/keys', { agent_id })
  await sameAs(made, listed(key, made.id))

  const account = await makeAccount(ticking)
  await desk.done('PATCH', `/v1/admin/orgs/${account.orgId}`, { plan: 'pro' }, adminToken)
  const own = (await desk.done('POST', '/v1/auth/keys', {}, account.token)).key
  const agent = await makeAgent(ticking, own)
  const scoped = await desk.done('POST', '/v1/auth/keys/scoped', { agent_id: agent.id }, account.token)
  await sameAs(scoped, listed(own, scoped.id))
})

test('organizations, and their keys', async ({ ticking, service, desk }) => {
  const made = await desk.done(
    'POST',
    '/v1/admin/orgs',
    { name: 'Other', email: 'other@example.com', plan: 'pro' },
    adminToken,
  )
  const listed = async (email: string) => (await desk.read(`/v1/admin/orgs?email=${email}`, adminToken)).data[0]
  assert.equal(made.org.created_at, made.org.updated_at)
  await sameAs(made.org, listed('other@example.com'))
  const [own] = await service.app.sql`select created_at from api_keys where hash = ${sha256(made.api_key)}`
  assert.equal(own?.createdAt.toISOString(), made.org.created_at)
  const path = `/v1/admin/orgs/${made.org.id}`
  await sameAs(await desk.done('PATCH', path, { is_waitlisted: true }, adminToken), listed('other@example.com'))
  await sameAs(await desk.done('POST', `${path}/activate`, {}, adminToken), listed('other@example.com'))
  const account = await makeAccount(ticking)
  const minted = await desk.done('POST', '/v1/auth/keys', {}, account.token)
  await sameAs(
    minted,
    desk.read('/v1/auth/export', account.token).then((file) => file.api_keys[0]),
  )
})

test('terms', async ({ ticking, service, desk }) => {
  const tos_version = (await ticking.call('GET', '/v1/auth/terms/current')).body.version
  const account = await makeAccount(ticking)
  const acceptances = async (orgId: string) => {
    const rows = await service.app.sql<{ acceptedAt: Date; inRecord: Date; createdAt: Date }[]>`
      select a.accepted_at, o.accepted_terms_at as in_record, o.created_at from terms_acceptances a
      join organizations o on o.id = a.org_id
      join audit_entries e on e.org_id = a.org_id and e.action = 'auth.signup'
      where e.resource = ${orgId} order by a.id desc limit 1`
    return rows[0]!
  }
  const signedUp = await acceptances(account.orgId)
  assert.deepEqual(signedUp.acceptedAt, signedUp.inRecord, 'by signing up')
  assert.deepEqual(signedUp.createdAt, signedUp.inRecord, 'by signing up')

  const { data } = await desk.done('PATCH', '/v1/auth/terms', { tos_version }, account.token)
  const { tos_acceptances, org } = await desk.read('/v1/auth/export', account.token)
  assert.equal(data.accepted_terms_at, tos_acceptances.at(-1).accepted_at, 'by accepting')
  assert.equal(data.accepted_terms_at, org.accepted_terms_at, 'by accepting')

  const email = freshEmail()
  await ticking.call('POST', '/v1/waitlist', { body: { email, tos_version } })
  const [waiting] = (await desk.read(`/v1/admin/orgs?email=${email}`, adminToken)).data
  const joined = await acceptances(waiting.id)
  assert.deepEqual(joined.acceptedAt, joined.inRecord, 'by waiting')
  await ticking.call('POST', '/v1/auth/signup', { body: { email, password, tos_version } })
  const claimed = await acceptances(waiting.id)
  assert.deepEqual(claimed.acceptedAt, claimed.inRecord, 'by signing up to the organization that waits')

  const agent = await ticking.call('POST', '/v1/agent/sign-up', {
    body: { email: freshEmail(), agent_name: 'A', tos_version },
  })
  const sandboxed = await acceptances(agent.body.org_id)
  assert.deepEqual(sandboxed.acceptedAt, sandboxed.inRecord, 'by an agent')
})

test('a last response at the moment of expiry confirms the proposal, or is refused and not stored', async ({
  ticking,
  service,
  second,
  key,
  desk,
}) => {
  const [organizer, participant] = await Promise.all([1, 2].map(() => makeAgent(ticking, key)))
  const { id: calendar_id } = await makeCalendar(ticking, key)
  const outcomes = new Set<string>()
  for (let early = 0; early < 16; early++) {
    const expires_at = ahead(ticking, 5)
    const { id } = await makeProposal(ticking, key, {
      organizer_agent_id: organizer.id,
      participant_agent_ids: [participant.id],
      calendar_id,
      expires_at,
    })
    const path = `/v1/scheduling/proposals/${id}`
    const [{ id: selected_slot_id }] = (await desk.read(path)).slots
    const waitMs = Date.parse(expires_at) - early - second.app.clock.now().getTime()
    await service.clock.set(new Date(service.clock.now().getTime() + waitMs))
    const body = { agent_id: participant.id, response: 'accept', selected_slot_id }
    const { status } = await ticking.call('POST', `${path}/respond`, { key, body })
    const ended = await desk.read(path)
    outcomes.add(`${status} ${ended.status} ${ended.responses.length}`)
  }
  assert.deepEqual([...outcomes].sort(), ['200 confirmed 1', '409 expired 0'])
})
