// No table holds a guest's data or the slug of a booking page as plain text; the API shows both.
import assert from 'node:assert/strict'
import { sealedBookings, sealedPages } from '../../src/bookingPages/sealed.ts'
import { sealedEvents } from '../../src/events/sealed.ts'
import { resealBlock } from '../../src/sealing/sealedTable.ts'
import { openSealer } from '../../src/sealing/sealer.ts'
import { makeAccount } from '../../src/testing/accounts.ts'
import { ahead, makeAgent, makeCalendar, makeProposal, makeWebhook } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, startsOf } from '../../src/testing/guests.ts'
import { adminToken, type TestService } from '../../src/testing/harness.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })

/** Where a secret stands in a table: as text, or as bytes that read as text. */
async function placesOf({ app: { sql } }: TestService, secrets: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql<{ text: string }[]>`select to_jsonb(t)::text as text from ${sql(name)} t`
    for (const { text } of rows) {
      for (const secret of secrets) {
        const shapes = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64url')]
        if (shapes.some((shape) => text.includes(shape))) found.push(`${secret} in ${name}`)
      }
    }
  }
  return found
}

const guest = { name: 'Zebulon Quist', email: 'zebulon@quist.example', notes: 'allergic to xylophones' }

test('no table shows who a guest is, whatever becomes of the booking; the organization reads it', async ({
  service,
  call,
  receiver,
}) => {
  const account = await makeAccount(service)
  await call('PATCH', `/v1/admin/orgs/${account.orgId}`, { key: adminToken, body: { plan: 'pro' } })
  const { key } = (await call('POST', '/v1/auth/keys', { key: account.token })).body
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Chat' } })
  const { slug, id: pageId } = page.body
  await makeWebhook(service, key, receiver.url, ['event.created', 'event.updated', 'event.started'])
  const [start] = await startsOf(service, slug, `?from=${ahead(service, 600)}`)
  const booked = await bookSlot(service, slug, start!, { ...guest, attempt: 'x'.repeat(20) })
  assert.equal(booked.status, 201)
  await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
  })
  const secrets = [guest.name, guest.email, guest.notes, slug]
  assert.deepEqual(await placesOf(service, secrets), [])

  const path = `/v1/calendars/${calendar.id}/events/${booked.body.event.id}`
  const metadata = { booking: guest, booking_page_id: pageId }
  assert.deepEqual((await call('GET', path, { key })).body.metadata, metadata)
  const moved = await call('PATCH', path, {
    key,
    body: { start_time: ahead(service, 900), end_time: ahead(service, 930) },
  })
  assert.deepEqual(moved.body.metadata, metadata, 'an edit of something else leaves it alone')
  const noted = await call('PATCH', path, { key, body: { metadata: { ...metadata, room: 'red' } } })
  assert.deepEqual(noted.body.metadata, { ...metadata, room: 'red' })
  const listed = await call('GET', `/v1/calendars/${calendar.id}/events?status=confirmed`, { key })
  assert.deepEqual(listed.body.data[0].metadata, { ...metadata, room: 'red' })
  await service.drain()
  for (const { payload } of receiver.received) assert.deepEqual(payload.event.metadata.booking, guest)
  assert.deepEqual(receiver.types(), ['event.created', 'event.updated', 'event.updated'])
  const exported = await call('GET', '/v1/auth/export', { key: account.token })
  assert.deepEqual(exported.body.events[0].metadata, { ...metadata, room: 'red' })
  assert.deepEqual(await placesOf(service, secrets), [])

  const { data } = (await call('GET', '/v1/audit-log?action=event.create', { key })).body
  assert.deepEqual([data[0].path, data[0].resource], [`/book/${pageId}`, booked.body.event.id])
  const replaced = await call('PATCH', path, { key, body: { metadata: { room: 'blue' } } })
  assert.deepEqual(replaced.body.metadata, { room: 'blue' })
  assert.deepEqual((await call('GET', path, { key })).body.metadata, { room: 'blue' })
})

test('an organization gets back its own `metadata.booking` as it sent it', async ({ service, call }) => {
  const { key, calendar } = await makePage(service)
  const path = `/v1/calendars/${calendar.id}/events`
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  for (const booking of [null, 'Xanthippe', 7, [], { name: 'Xanthippe', deep: { __proto__: 1, list: [1, null] } }]) {
    const made = await call('POST', path, { key, body: { title: 'Own', ...times, metadata: { booking, a: 1 } } })
    assert.deepEqual(made.body.metadata, { booking, a: 1 })
    assert.deepEqual((await call('GET', `${path}/${made.body.id}`, { key })).body.metadata, { booking, a: 1 })
  }
  assert.deepEqual(await placesOf(service, ['Xanthippe']), [])
})

test('a new key seals guests and slugs again', async ({ service, call }) => {
  const { key, calendar, page } = await makePage(service)
  const [start] = await startsOf(service, page.slug)
  const booked = await bookSlot(service, page.slug, start!, guest)
  const [old] = service.app.config.encryptionKeys
  const before = service.app.sealer
  service.app.sealer = openSealer([{ id: 'new', secret: Buffer.alloc(32, 8) }, old!])
  for (const table of [sealedEvents, sealedPages, sealedBookings]) {
    assert.deepEqual((await resealBlock(service.app, table, undefined, 500)).unreadable, [])
  }
  service.app.sealer = openSealer([{ id: 'new', secret: Buffer.alloc(32, 8) }])
  const path = `/v1/calendars/${calendar.id}/events/${booked.body.event.id}`
  assert.deepEqual((await call('GET', path, { key })).body.metadata.booking, guest)
  assert.equal((await call('GET', `/v1/booking-pages/${page.id}`, { key })).body.slug, page.slug)
  const mails = await mailsTo(service, guest.email)
  const own = /\/booking\/[\w-]{43}/.exec(mails.at(-1)!.text)![0]
  assert.equal((await call('GET', own)).status, 200, 'the guest comes back')
  service.app.sealer = before
})
