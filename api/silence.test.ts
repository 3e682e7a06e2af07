// A caller that uses none of the fields of meetings is answered as it was before there were any: records, webhooks, the change feed, the
// calendar feed, mails, files, pages and tools are compared with a recording. `RECORD=write` writes it anew.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAgent, makeCalendar, makeProposal } from '../src/testing/factories.ts'
import { openFeedServer, vcalendar, vevent } from '../src/testing/feedServer.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf } from '../src/testing/guests.ts'
import { testStart } from '../src/testing/harness.ts'
import { mailsTo } from '../src/testing/mailbox.ts'
import { askMcp, callMcp } from '../src/testing/mcp/mcp.ts'
import { serviceTest } from '../src/testing/test.ts'

const file = join(import.meta.dirname, 'silence.recording.json')

const test = serviceTest({ env: guestEnv })

/** Identifiers and random texts, each by its kind and the order in which they come. */
function openNames() {
  const known = new Map<string, string>()
  const named = (kind: string, text: string) => {
    const name =
      known.get(text) ?? `<${kind} ${[...known.values()].filter((one) => one.startsWith(`<${kind} `)).length}>`
    known.set(text, name)
    return name
  }
  return (text: string): string =>
    text
      .replaceAll(/\r\n /g, '')
      .replaceAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g, (id, kind) => named(kind, id))
      .replaceAll(/svc_sk_[\w-]+/g, '<key>')
      .replaceAll(/whsec_[\w+/=-]+/g, '<secret>')
      .replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, '<host>')
      .replaceAll(/\/(ical|booking|book)\/[\w-]+/g, (address, kind) => `/${kind}/${named(kind, address)}`)
      .replaceAll(/"slug":"[\w-]+"/g, '"slug":"<slug>"')
      .replaceAll(/"next_cursor":"[^"]+"|"cursor":"[^"]+"/g, '"cursor":"<cursor>"')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => named('uuid', id))
}

test('without the fields of meetings nothing is answered, sent or listed that was not before', async ({
  service,
  receiver,
  onTestFinished,
}) => {
  await service.clock.set(testStart)
  const feeds = await openFeedServer()
  onTestFinished(feeds.close)
  const lines: string[] = []
  const name = openNames()
  const note = (title: string, value: unknown) =>
    lines.push(name(`${title}: ${typeof value === 'string' ? value : JSON.stringify(value)}`))

  const { key, calendar, page } = await makePage(
    service,
    { location: 'Room 4', description: 'A talk' },
    { plan: 'custom' },
  )
  const types = [
    ...['event.created', 'event.updated', 'event.deleted', 'event.hold_created', 'event.hold_confirmed'],
    ...['proposal.created', 'proposal.confirmed'],
  ]
  const list = `/v1/calendars/${calendar.id}/events`
  const call = async (title: string, method: string, path: string, body?: object) => {
    const answer = await service.call(method, path, { key, ...(body && { body }) })
    note(title, [answer.status, answer.body])
    await service.drain()
    return answer.body
  }
  const at = (time: string) => `2026-03-${time}:00.000Z`
  const timed = (start: string, end: string, more: object = {}) => ({
    start_time: at(start),
    end_time: at(end),
    ...more,
  })

  const { cursor } = (await service.call('GET', '/v1/changes', { key })).body
  const hook = await call('webhook', 'POST', '/v1/webhooks', { url: receiver.url, events: types })
  const one = await call('create', 'POST', list, { title: 'Talk', ...timed('03T10:00', '03T11:00') })
  const all = { description: 'All of it', status: 'tentative', metadata: { location: 'Room 5', a: 1 }, reminders: [5] }
  await call('create with all', 'POST', list, { title: 'More', ...timed('03T12:00', '03T13:00', all) })
  await call('dry run', 'POST', `${list}?dry_run=true`, { title: 'Dry', ...timed('03T14:00', '03T15:00') })
  const rule = { recurrence_rule: 'FREQ=DAILY;COUNT=6', recurrence_timezone: 'Europe/Berlin' }
  const series = await call('series', 'POST', list, { title: 'Daily', ...timed('04T08:00', '04T08:30', rule) })
  const inSeries = `${list}/${series.id}?occurrence_start=${at('05T08:00')}`
  await call('occurrence', 'PATCH', inSeries, { title: 'Other' })
  await call('read occurrence', 'GET', inSeries)
  await call('split', 'PATCH', `${list}/${series.id}?occurrence_start=${at('07T08:00')}&scope=following`, {
    title: 'New',
  })
  await call('update', 'PATCH', `${list}/${one.id}`, { title: 'Talks', description: 'Text' })
  const hold = { status: 'hold', hold_expires_at: at('02T09:10') }
  const held = await call('hold', 'POST', list, { title: 'Held', ...timed('03T16:00', '03T17:00', hold) })
  await call('confirm', 'PUT', `/v1/events/${held.id}/confirm`)
  const taken = { ...timed('03T10:30', '03T11:30'), title: 'Taken', require_free: true }
  await call('not free', 'POST', `${list}?explain=true`, taken)
  await call('read', 'GET', `${list}/${one.id}`)
  await call('list', 'GET', list)
  await call('expanded', 'GET', `${list}?expand=true&start_after=${at('01T00:00')}&start_before=${at('12T00:00')}`)
  await call('window', 'GET', `/v1/events?calendar_ids=${calendar.id}&start=${at('01T00:00')}&end=${at('12T00:00')}`)
  await call('context', 'GET', `/v1/calendars/${calendar.id}/context`)
  const free = `start=${at('03T09:00')}&end=${at('03T18:00')}`
  await call('busy', 'GET', `/v1/calendars/${calendar.id}/availability?${free}&include_busy=true&explain=true`)
  const rules = `/v1/calendars/${calendar.id}/availability-rules`
  const hours = { working_hours: { tue: { start: '09:00', end: '17:00' } }, timezone: 'Europe/Berlin' }
  await call('set rules', 'PUT', rules, { ...hours, buffer_after_minutes: 5 })
  await call('rules', 'GET', rules)
  await call('best', 'GET', `/v1/calendars/${calendar.id}/availability?${free}&best=3&explain=true`)
  await call('check', 'GET', `/v1/calendars/${calendar.id}/availability/check?${free}`)
  await call('no rules', 'DELETE', rules)
  await call('calendar', 'GET', `/v1/calendars/${calendar.id}`)
  await call('webhook as read', 'GET', `/v1/webhooks/${hook.id}`)
  await call('deliveries', 'GET', `/v1/webhooks/${hook.id}/deliveries?include_payload=true`)
  await call('delete', 'DELETE', `${list}/${one.id}`)

  const guest = await makeAgent(service, key)
  const proposal = await makeProposal(service, key, {
    ...{ organizer_agent_id: calendar.agentId, participant_agent_ids: [guest.id], calendar_id: calendar.id },
  })
  await service.drain()
  const proposals = `/v1/scheduling/proposals/${proposal.id}`
  const { slots } = await call('proposal', 'GET', proposals)
  const accepted = { agent_id: guest.id, response: 'accept', selected_slot_id: slots[0].id }
  await call('respond', 'POST', `${proposals}/respond`, accepted)
  await call('resolved', 'GET', proposals)

  await call('page', 'GET', `/v1/booking-pages/${page.id}`)
  const from = { headers: { 'x-forwarded-for': newAddress() } }
  note('page for guests', (await service.call('GET', `/book/${page.slug}`, from)).body)
  const [start] = await startsOf(service, page.slug)
  note('booked', (await bookSlot(service, page.slug, start!)).body)
  for (const { subject, text, mail } of await mailsTo(service, 'ada@example.com'))
    note('mail', [subject, text, mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString())])

  const imports = await makeCalendar(service, key, calendar.agentId)
  const inFeed = { SUMMARY: 'Talk', DTSTART: '20260305T090000Z', DTEND: '20260305T100000Z' }
  const details = { LOCATION: 'Hall', CATEGORIES: 'team', COLOR: 'teal', CLASS: 'PRIVATE', TRANSP: 'TRANSPARENT' }
  feeds.body = vcalendar(vevent('one', { ...inFeed, ...details }))
  const subscribed = { calendar_id: imports.id, url: feeds.url() }
  await call('subscribe', 'POST', `/v1/agents/${calendar.agentId}/ical-subscriptions`, subscribed)
  await call('imported', 'GET', `/v1/calendars/${imports.id}/events`)
  const around = `start=${at('05T08:00')}&end=${at('05T11:00')}`
  await call('busy by an import', 'GET', `/v1/calendars/${imports.id}/availability?${around}&include_busy=true`)
  note('feed of imports', (await service.call('GET', new URL(imports.ical_url).pathname)).body)

  note('feed', (await service.call('GET', new URL(calendar.ical_url).pathname)).body)
  await call('changes', 'GET', `/v1/changes?limit=200&cursor=${encodeURIComponent(cursor)}`)
  for (const { type, raw } of receiver.received) note(`webhook ${type}`, raw)
  note('headers of webhooks', [
    ...new Set(receiver.received.map(({ headers }) => Object.keys(headers).sort().join(' '))),
  ])

  for (const query of ['', '?profile=full', '?profile=scheduling', '?profile=coordination'])
    note(
      `tools ${query}`,
      createHash('sha256')
        .update((await askMcp(service, 'tools/list', {}, { key, query })).text)
        .digest('hex'),
    )
  const window = { calendar_id: calendar.id, start: at('01T00:00'), end: at('12T00:00') }
  note('list_events', await callMcp(service, 'list_events', window, { key }))
  const made = { calendar_id: calendar.id, title: 'By a tool', ...timed('10T10:00', '10T11:00') }
  note('create_event', await callMcp(service, 'create_event', made, { key }))
  const clash = { ...made, title: 'Clash' }
  note('create_event in the way', await callMcp(service, 'create_event', clash, { key }))
  note('get_event', await callMcp(service, 'get_event', { event_id: held.id }, { key }))

  if (process.env.RECORD === 'write') writeFileSync(file, `${JSON.stringify(lines, null, 2)}\n`)
  assert.deepEqual(lines, JSON.parse(readFileSync(file, 'utf8')))
})
