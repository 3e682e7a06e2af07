// The demo organization shows a product at work: agents, their weeks, a hold, webhooks with deliveries, a booking page, a proposal. It is
// made once, through the public interface. Every request has a key of its own, so one that is repeated makes nothing twice.
import type { Demo, DemoData } from './demo.ts'
import { receiverHost, receiverPaths } from './demoReceiver.ts'
import { demoHold, demoWeek, localTime, span, zone } from './demoWeek.ts'

type Made = { id: string; slots: { id: string }[]; key: string }
type Send = (name: string, path: string, body?: object, how?: { method?: string; key?: string }) => Promise<Made>

/** Throws one line if the API refuses a part. */
export async function fillDemo(apiUrl: string, demo: Demo, { begun_at, receiver_port }: DemoData): Promise<void> {
  const send = senderOf(apiUrl, demo)
  const now = new Date(begun_at)
  const [aria, maya, room] = await Promise.all([
    send('aria', '/v1/agents', {
      name: 'Aria',
      type: 'ai',
      description: 'Books and moves the calls of the sales team.',
    }),
    send('maya', '/v1/agents', { name: 'Maya Lindt', type: 'human', description: 'Leads the sales team.' }),
    send('room', '/v1/agents', { name: 'Room Lisbon', type: 'resource', description: 'Eight seats, a screen.' }),
  ])
  const calendarOf = (name: string, agent: Made, title: string) =>
    send(`${name}-calendar`, `/v1/agents/${agent.id}/calendars`, { name: title, timezone: zone })
  const [calls, own, bookings, { key }] = await Promise.all([
    calendarOf('aria', aria, 'Customer calls'),
    calendarOf('maya', maya, 'Maya Lindt'),
    calendarOf('room', room, 'Room Lisbon'),
    send('key', '/v1/keys', {
      ...{ agent_id: aria.id, label: 'Aria in production' },
      guardrails: { approval: { on: ['event.delete'] } },
    }),
    send('webhook', '/v1/webhooks', {
      url: `http://${receiverHost}:${receiver_port}${receiverPaths.taking}`,
      events: ['event.created', 'event.updated', 'event.hold_created', 'event.hold_expired', 'event.started'],
    }),
    send('failing-webhook', '/v1/webhooks', {
      url: `http://${receiverHost}:${receiver_port}${receiverPaths.refusing}`,
      events: ['proposal.created'],
    }),
  ])

  const week = demoWeek(now)
  const placed = (calendar: Made, bodies: readonly object[], by?: string) =>
    bodies.map((body, nth) =>
      send(`${calendar.id}-${nth}`, `/v1/calendars/${calendar.id}/events`, body, by === undefined ? {} : { key: by }),
    )
  const [proposal, made] = await Promise.all([
    send('proposal', '/v1/scheduling/proposals', {
      ...{ title: 'Quarterly review', organizer_agent_id: aria.id, participant_agent_ids: [aria.id, maya.id, room.id] },
      calendar_id: own.id,
      slots: [8, 9, 10].map((day) => span(localTime(now, day, '13:00'), 60)),
    }),
    Promise.all(placed(calls, [...week.calls, demoHold(now)], key)),
    Promise.all([...placed(own, week.own), ...placed(bookings, week.room)]),
    send('rules', `/v1/calendars/${own.id}/availability-rules`, rulesOf(9, 17), { method: 'PUT' }),
    send('page', '/v1/booking-pages', {
      ...{ calendar_id: own.id, title: 'Half an hour with Maya', description: 'A first call about your calendars.' },
      ...{ duration_minutes: 30, buffer_minutes: 10, timezone: zone, host_name: 'Maya Lindt' },
    }),
  ])
  const proposalPath = `/v1/scheduling/proposals/${proposal.id}`
  const { slots } = await send('slots', proposalPath, undefined, { method: 'GET' })
  await Promise.all([
    send('response', `${proposalPath}/respond`, {
      ...{ agent_id: aria.id, response: 'accept', selected_slot_id: slots[0]!.id },
    }),
    // Its key asks a person first.
    send('approval', `/v1/events/${made.at(-2)!.id}`, undefined, { method: 'DELETE', key }),
  ])
}

function rulesOf(from: number, to: number): object {
  const hours = { start: `${String(from).padStart(2, '0')}:00`, end: `${to}:00` }
  const days = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, hours])
  return {
    ...{ buffer_before_minutes: 0, buffer_after_minutes: 10, timezone: zone },
    working_hours: Object.fromEntries(days),
  }
}

const senderOf =
  (apiUrl: string, demo: Demo): Send =>
  async (name, path, body, { method = 'POST', key = demo.api_key } = {}) => {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': `demo-${name}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    return JSON.parse(text || '{}')
  }
