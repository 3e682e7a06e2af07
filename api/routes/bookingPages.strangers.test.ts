// Abuse of a booking page by a stranger, a guest or an owner: taking its address, or sending mails to people.
import assert from 'node:assert/strict'
import { slugPattern } from '../../src/bookingPages/vanitySlug.ts'
import { secondsToWait } from '../../src/quotas/throttle.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { freshEmail, makeAccount } from '../../src/testing/accounts.ts'
import { makeAgent, makeCalendar } from '../../src/testing/factories.ts'
import { browserAccept } from '../../src/testing/guestPages.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf, type TestPage } from '../../src/testing/guests.ts'
import { type TestService, testStart } from '../../src/testing/harness.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv })

/** A page whose secret address would be a readable one in small letters. */
async function pageToImitate(service: TestService): Promise<TestPage> {
  for (;;) {
    const made = await makePage(service)
    if (slugPattern.test(made.page.slug.toLowerCase())) return made
  }
}

test('whoever knows a secret address cannot take it in small letters, neither while the page is open nor after', async ({
  service,
  call,
}) => {
  const { key, page } = await pageToImitate(service)
  assert.match(page.slug, /[A-Z]/, 'it is nobody’s readable address as it stands')
  const imitation = await makePage(service, { title: 'Imitation', vanity_slug: page.slug.toLowerCase() })
  const titleAt = async (slug: string) => {
    const answer = await call('GET', `/book/${slug}/slots`, { headers: { 'x-forwarded-for': newAddress() } })
    return answer.status === 200 ? answer.body.booking_page.title : answer.status
  }
  assert.equal(await titleAt(page.slug), 'Chat')
  const [first] = await startsOf(service, page.slug)
  assert.equal((await bookSlot(service, page.slug, first!)).body.booking_page_id, page.id)
  assert.equal(await titleAt(page.slug), 'Chat', 'also once its row has moved')
  await call('PATCH', `/v1/booking-pages/${page.id}`, { key, body: { active: false } })
  assert.equal(await titleAt(page.slug), 404)
  assertRefused(await bookSlot(service, page.slug, first!), 404, 'not_found')
  assert.equal(await titleAt(imitation.page.vanity_slug), 'Imitation')
})

/** Uses up all of a limit but `left`. */
async function spend(service: TestService, name: string, max: number, subject: string, left: number) {
  const limit = { name, max, windowMs: dayMs }
  const calls = Array.from({ length: max - left }, () => secondsToWait(service.app, limit, subject))
  assert.ok((await Promise.all(calls)).every((wait) => wait === 0))
}

test('guests behind one network cause a hundred mails a day; then bookings are made without, and promise none', async ({
  service,
  onTestFinished,
}) => {
  onTestFinished(() => service.clock.set(testStart))
  const from = { 'x-forwarded-for': newAddress() }
  let mailed = 0
  for (let round = 0; round < 11; round++) {
    const { page } = await makePage(service, { duration_minutes: 5 })
    const starts = (await startsOf(service, page.slug)).slice(0, 10)
    const emails = starts.map((_, nth) => `crowd${round}x${nth}@example.net`)
    const answers = await Promise.all(
      starts.map((start, nth) =>
        bookSlot(service, page.slug, start, { email: emails[nth] }, { ...from, accept: browserAccept }),
      ),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    const promised = answers.filter(({ body }) => body.includes('on their way')).length
    assert.equal(promised, round < 10 ? 10 : 0)
    mailed += (await mailsTo(service, emails[0]!)).length
    await service.clock.advance(60_000)
  }
  assert.equal(mailed, 10)
})

test('a page causes five hundred mails a day, wherever its guests come from', async ({ service }) => {
  const made = await makePage(service)
  await spend(service, 'guest_mails_page', 500, decodeId('bkp', made.page.id)!, 1)
  const [one, two] = await startsOf(service, made.page.slug)
  assert.equal((await bookSlot(service, made.page.slug, one!, { email: 'last@example.net' })).status, 201)
  assert.equal((await bookSlot(service, made.page.slug, two!, { email: 'late@example.net' })).status, 201)
  assert.equal((await mailsTo(service, 'last@example.net')).length, 1)
  assert.equal((await mailsTo(service, 'late@example.net')).length, 0)
})

test('a page that is made anew mails and invites nobody beyond the limits of its organization', async ({
  service,
  call,
}) => {
  const body = { title: 'Chat', additional_guests: 3 }
  const { key, orgId, calendar, page } = await makePage(service, body, { plan: 'free' })
  const organization = decodeId('org', orgId)!
  await spend(service, 'guest_mails_page_all', 500, organization, 2)
  await spend(service, 'guest_invitations_page_all', 100, organization, 1)
  assert.equal((await call('DELETE', `/v1/booking-pages/${page.id}`, { key })).status, 204)
  const again = await call('POST', '/v1/booking-pages', { key, body: { ...body, calendar_id: calendar.id } })
  assert.equal(again.status, 201, JSON.stringify(again.body))
  const starts = (await startsOf(service, again.body.slug)).slice(0, 3)
  const invited: number[] = []
  for (const [nth, start] of starts.entries()) {
    const email = `anew${nth}@example.net`
    const booked = await bookSlot(service, again.body.slug, start, { email, guests: [`with${nth}@example.net`] })
    assert.equal(booked.status, 201)
    invited.push((await mailsTo(service, email)).length, (await mailsTo(service, `with${nth}@example.net`)).length)
  }
  assert.deepEqual(invited, [1, 1, 1, 0, 0, 0])
})

test('an organization that is made anew with its address mails nobody beyond the limits of that address', async ({
  service,
  call,
}) => {
  const name = freshEmail('anew')
  const pageOf = async (email: string) => {
    const { token } = await makeAccount({ call }, { email })
    const { key } = (await call('POST', '/v1/auth/keys', { key: token })).body
    const calendar = await makeCalendar(service, key, (await makeAgent(service, key)).id)
    const made = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Chat' } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return { token, slug: made.body.slug }
  }
  const mailed = async (slug: string, email: string) => {
    const [start] = await startsOf(service, slug)
    assert.equal((await bookSlot(service, slug, start!, { email })).status, 201)
    return (await mailsTo(service, email)).length
  }
  await spend(service, 'guest_mails_page_all', 500, name, 1)
  const first = await pageOf(name)
  assert.equal(await mailed(first.slug, 'first@example.net'), 1)
  assert.equal((await call('DELETE', '/v1/auth/account', { key: first.token })).status, 204)
  await service.drain()
  const again = await pageOf(name.toUpperCase())
  assert.equal(await mailed(again.slug, 'second@example.net'), 0)
  const other = await pageOf(freshEmail('other'))
  assert.equal(await mailed(other.slug, 'third@example.net'), 1)
})

test('what stands behind a plus makes no new mailbox', async ({ service }) => {
  const { page } = await makePage(service)
  const starts = (await startsOf(service, page.slug)).slice(0, 12)
  for (const [nth, start] of starts.entries()) {
    assert.equal((await bookSlot(service, page.slug, start, { email: `Victim+${nth}@example.net` })).status, 201)
  }
  const got: unknown[] = []
  for (const nth of starts.keys()) got.push(...(await mailsTo(service, `Victim+${nth}@example.net`)))
  assert.equal(got.length, 10)
  await bookSlot(service, page.slug, (await startsOf(service, page.slug))[0]!, { email: '+x@example.net' })
  assert.equal((await mailsTo(service, '+x@example.net')).length, 1, 'a name that begins with a plus is a name')
})

test('an owner who has typed the addresses cannot have a thousand more mails sent: they wait for the next day', async ({
  service,
  call,
  onTestFinished,
}) => {
  onTestFinished(() => service.clock.set(testStart))
  const made = await makePage(service)
  const { key, calendar, page } = made
  const start = (await startsOf(service, page.slug)).at(-1)!
  const email = 'typed@example.net'
  const booked = await bookSlot(service, page.slug, start, { email })
  await spend(service, 'guest_mails_owner', 1_000, decodeId('bkp', made.page.id)!, 0)
  await call('DELETE', `/v1/calendars/${calendar.id}/events/${booked.body.event.id}`, { key })
  assert.equal((await mailsTo(service, email)).length, 1)
  await service.clock.advance(dayMs + 60_000)
  const subjects = (await mailsTo(service, email)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['Confirmed: Chat', 'Cancelled: Chat'])
})
