import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeOrganization } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, startsOf } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })

type Booking = { event_id: string; name: string; start: string }

test('the owner lists the bookings of a page as they are now, and finds guests', async ({ service, call }) => {
  const { key, page } = await makePage(service, {
    questions: [{ name: 'company', label: 'Company', required: false }],
    additional_guests: 2,
  })
  const path = `/v1/booking-pages/${page.id}/bookings`
  const list = (query = '', as = key) => call('GET', `${path}${query}`, { key: as })
  assert.deepEqual((await list()).body, { data: [], total: 0, limit: 50, offset: 0 })
  const starts = (await startsOf(service, page.slug)).filter((_, nth) => nth % 10 === 0)
  const book = async (nth: number, body: object = {}) => {
    const answer = await bookSlot(service, page.slug, starts[nth]!, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.event.id as string
  }
  const ada = await book(0, { notes: 'Bring tea', answers: { company: 'Engines' } })
  const grace = await book(1, { name: 'Grace Hopper', email: 'grace@navy.example', guests: ['more@example.com'] })
  const emil = await book(2, { name: 'E\u0301mil', email: 'emil@example.com' })

  const { status, body } = await list()
  assert.equal(status, 200)
  const shown = ({ data }: { data: Booking[] }) => data.map(({ event_id }) => event_id)
  assert.deepEqual([shown(body), body.total], [[emil, grace, ada], 3])
  const end = new Date(Date.parse(starts[0]!) + 30 * 60_000).toISOString()
  assert.deepEqual(body.data[2], {
    event_id: ada,
    start: starts[0],
    end,
    status: 'confirmed',
    name: 'Ada Guest',
    email: 'ada@example.com',
    notes: 'Bring tea',
    answers: [{ name: 'company', label: 'Company', answer: 'Engines' }],
    guests: [],
    created_at: service.clock.now().toISOString(),
  })
  assert.deepEqual(body.data[1].guests, ['more@example.com'])
  for (const [query, found] of [
    ['?limit=1&offset=1', [grace]],
    [`?from=${starts[1]}`, [emil, grace]],
    [`?to=${starts[1]}`, [ada]],
    [`?from=${starts[1]}&to=${starts[2]}`, [grace]],
    ['?query=HOPPER', [grace]],
    ['?query=navy', [grace]],
    ['?query=more%40', [grace]],
    [`?query=${encodeURIComponent('Émil')}`, [emil]],
    ['?query=example.com&limit=1&offset=1', [grace]],
    ['?query=nobody', []],
  ] as const) {
    assert.deepEqual(shown((await list(query)).body), found, query)
  }
  assert.equal((await list('?query=example.com&limit=1')).body.total, 3)

  // Moved, cancelled and deleted by the owner.
  await call('PATCH', `/v1/events/${ada}`, { key, body: { start_time: starts[3], end_time: starts[4] } })
  await call('PATCH', `/v1/events/${grace}`, { key, body: { status: 'cancelled' } })
  await call('DELETE', `/v1/events/${emil}`, { key })
  const later = (await list()).body.data
  assert.deepEqual(
    later.map(({ event_id, start, status: now, notes }: Booking & { status: string; notes: unknown }) => [
      event_id,
      start,
      now,
      notes,
    ]),
    [
      [ada, starts[3], 'confirmed', 'Bring tea'],
      [emil, starts[2], 'cancelled', null],
      [grace, starts[1], 'cancelled', null],
    ],
  )
})

test('only who may read the page reads its bookings', async ({ service, call }) => {
  const { key, calendar, page } = await makePage(service)
  const path = `/v1/booking-pages/${page.id}/bookings`
  const own = await makeAgentKey(service, key, calendar.agentId)
  assert.equal((await call('GET', path, { key: own })).status, 200)
  const other = await makeAgentKey(service, key, (await makeAgent(service, key)).id)
  assertRefused(await call('GET', path, { key: other }), 403, 'forbidden')
  const stranger = await makeOrganization(service)
  assertRefused(await call('GET', path, { key: stranger.key }), 404, 'not_found')
  assertRefused(await call('GET', `${path}?limit=201`, { key }), 400, 'validation_error', { param: 'limit' })
})
