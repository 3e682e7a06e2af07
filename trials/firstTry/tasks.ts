// Tasks of hurried models: each is the call that one makes, and how it must end. Those without a mark succeed at once;
// `repaired` ones do after merging the first suggestion, or after waiting for the given time; `refused` ones end with the refusal.
import { decodeId } from '../../src/shapes/ids.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any
type Arguments = Record<string, unknown>

/** A new organization of its own, with an agent and the agent's calendar in Berlin. It is Sunday, 29 November 2026, 14:03. */
type Desk = {
  service: TestService
  key: string
  agent: Any
  calendar: Any
  /** Calls that come before the task; they succeed. */
  ask(tool: string, args: Arguments): Promise<Any>
}

type Call = { tool: string; args: Arguments; key?: string }

export type Task = {
  name: string
  mark?: 'repaired' | 'refused'
  /** Of the organization: `free` or a rate, where it matters. */
  plan?: 'free'
  rate?: number
  call(desk: Desk): Promise<Call> | Call
  /** The type and the code of the refusal, and the text of the next step. */
  refusal?: { type: string; code?: string; next?: RegExp }
  /** A condition for the answer. */
  holds?(answer: Any): boolean
}

const book = (args: Arguments): Call => ({ tool: 'create_event', args: { title: 'Review', ...args } })
const nine = { start_time: '2026-12-01T09:00' }
const weekly = { recurrence_rule: 'FREQ=WEEKLY', start_time: '2026-12-01T08:00:00Z', end_time: '2026-12-01T08:30:00Z' }

export const tasks: readonly Task[] = [
  {
    name: 'a local time without a calendar',
    call: () => book(nine),
    holds: ({ event }) => event.start === '2026-12-01T09:00:00+01:00',
  },
  { name: 'a time with its offset', call: () => book({ start_time: '2026-12-01T09:00:00+01:00' }) },
  {
    name: 'a wrong offset with a zone',
    mark: 'repaired',
    call: () => book({ start_time: '2026-12-01T09:00:00+02:00', timezone: 'Europe/Berlin' }),
    refusal: { type: 'validation_error', code: 'offset_mismatch' },
    holds: ({ event }) => event.start === '2026-12-01T09:00:00+01:00',
  },
  {
    name: 'a wrong weekday',
    mark: 'repaired',
    call: () => book({ ...nine, weekday: 'wednesday' }),
    refusal: { type: 'validation_error', code: 'weekday_mismatch' },
  },
  {
    name: 'an hour that clocks skip',
    mark: 'repaired',
    call: () => book({ start_time: '2027-03-28T02:30' }),
    refusal: { type: 'validation_error', code: 'nonexistent_local_time' },
  },
  {
    name: 'an hour that comes twice',
    mark: 'repaired',
    call: () => book({ start_time: '2027-10-31T02:30' }),
    refusal: { type: 'validation_error', code: 'ambiguous_local_time' },
  },
  {
    name: 'three whole days',
    call: () => book({ start_time: '2026-12-23', end_time: '2026-12-25', all_day: true }),
    holds: ({ event }) => event.end === '2026-12-25',
  },
  {
    name: 'a duration instead of an end',
    call: () => book({ ...nine, duration_minutes: 45 }),
    holds: ({ event }) => event.end === '2026-12-01T09:45:00+01:00',
  },
  {
    name: "last year's date",
    mark: 'repaired',
    call: () => book({ start_time: '2025-12-01T09:00' }),
    refusal: { type: 'validation_error', code: 'in_past' },
    holds: ({ event }) => event.start.startsWith('2026-12-01'),
  },
  {
    name: 'weekly across a change of clocks',
    call: () => book({ start_time: '2027-03-02T09:00', recurrence_rule: 'FREQ=WEEKLY;COUNT=10' }),
    holds: ({ warnings }) => warnings[0].code === 'series_shifts',
  },
  {
    name: 'a taken time',
    mark: 'repaired',
    async call({ ask }) {
      await ask('create_event', { title: 'Stand-up', ...nine })
      return book(nine)
    },
    refusal: { type: 'conflict', code: 'time_taken', next: /suggestions/ },
  },
  {
    name: 'a repeated booking with its key',
    async call({ ask }) {
      const args = { title: 'Review', ...nine, idempotency_key: 'review' }
      await ask('create_event', args)
      return book(args)
    },
    holds: ({ replayed }) => replayed === true,
  },
  {
    name: 'a repeated booking without a key',
    mark: 'refused',
    async call({ ask }) {
      await ask('create_event', { title: 'Review', ...nine })
      return book(nine)
    },
    refusal: { type: 'conflict', code: 'time_taken', next: /booked already, as evt_/ },
  },
  {
    name: 'hold and confirm',
    async call({ ask }) {
      const { event } = await ask('create_event', { title: 'Review', ...nine, status: 'hold' })
      return { tool: 'confirm_event', args: { event_id: event.id } }
    },
    holds: ({ event }) => event.status === 'confirmed',
  },
  {
    name: 'a late confirm',
    mark: 'refused',
    async call({ service, ask }) {
      const { event } = await ask('create_event', { title: 'Review', ...nine, hold_minutes: 1 })
      await service.clock.advance(2 * 60_000)
      return { tool: 'confirm_event', args: { event_id: event.id } }
    },
    refusal: { type: 'conflict', code: 'hold_expired', next: /create_event/ },
  },
  {
    name: 'what is on now',
    async call({ service, key, calendar }) {
      const times = { start_time: ahead(service, -30), end_time: ahead(service, 30) }
      await makeEvent(service, key, calendar.id, times)
      return { tool: 'get_calendar_context', args: {} }
    },
    holds: ({ current_event }) => current_event.when.endsWith('(now)'),
  },
  {
    name: 'a number as text',
    call: () => ({ tool: 'list_events', args: { limit: '10' } }),
  },
  {
    name: 'agents as JSON text',
    call: ({ agent }) => ({ tool: 'find_meeting_time', args: { agents: JSON.stringify([agent.id]) } }),
    holds: ({ slots }) => slots.length === 10,
  },
  {
    name: 'agents with commas',
    async call({ service, key, agent }) {
      const other = await makeAgent(service, key)
      return { tool: 'find_meeting_time', args: { agents: `${agent.id}, ${other.id}` } }
    },
    holds: ({ slots }) => slots.length === 10,
  },
  {
    name: 'nulls for what is not meant',
    call: () => book({ ...nine, end_time: null, metadata: null, timezone: null }),
  },
  {
    name: 'old names of arguments',
    call: ({ agent }) => ({
      tool: 'find_meeting_time',
      args: { agent_ids: [agent.id], start_time: '2026-12-01', end_time: '2026-12-01', slot_duration: '1h' },
    }),
    holds: ({ slots }) => slots[0].when.includes('00:00-01:00'),
  },
  {
    name: 'nobody free',
    async call({ ask, agent }) {
      await ask('create_event', { title: 'Fair', start_time: '2026-12-01', end_time: '2026-12-01', all_day: true })
      return { tool: 'find_meeting_time', args: { agents: [agent.id], start: '2026-12-01', end: '2026-12-01' } }
    },
    holds: ({ slots, next_free }) => slots.length === 0 && next_free.start === '2026-12-02T00:00:00+01:00',
  },
  {
    name: 'one day off a series',
    async call({ service, key, calendar }) {
      const { id } = await makeEvent(service, key, calendar.id, weekly)
      return { tool: 'cancel_event', args: { event_id: id, occurrence_start: '2026-12-08T09:00' } }
    },
    holds: ({ cancelled, series }) => cancelled && series.next_occurrences.length === 3,
  },
  {
    name: 'a whole series without saying so',
    mark: 'repaired',
    async call({ service, key, calendar }) {
      const { id } = await makeEvent(service, key, calendar.id, weekly)
      return { tool: 'cancel_event', args: { event_id: id } }
    },
    refusal: { type: 'validation_error', code: 'series_scope', next: /whole_series/ },
  },
  {
    name: 'move by the start alone',
    async call({ ask }) {
      const { event } = await ask('create_event', { title: 'Review', ...nine, duration_minutes: 45 })
      return { tool: 'update_event', args: { event_id: event.id, start_time: '2026-12-02T10:00' } }
    },
    holds: ({ event }) => event.end === '2026-12-02T10:45:00+01:00',
  },
  {
    name: 'a calendar by its name',
    mark: 'repaired',
    call: () => book({ ...nine, calendar_id: 'Calendar' }),
    refusal: { type: 'not_found', code: 'calendar_not_found' },
  },
  {
    name: 'two calendars and none named',
    mark: 'repaired',
    async call({ service, key }) {
      await makeCalendar(service, key, undefined, { name: 'Second' })
      return book(nine)
    },
    refusal: { type: 'validation_error', code: 'calendar_required' },
  },
  {
    name: 'agents in two zones and a local time',
    mark: 'repaired',
    async call({ service, key, agent }) {
      const other = await makeAgent(service, key)
      await makeCalendar(service, key, other.id, { timezone: 'Asia/Tokyo' })
      return { tool: 'find_meeting_time', args: { agents: [agent.id, other.id], start: '2026-12-01T09:00' } }
    },
    refusal: { type: 'validation_error', code: 'timezone_required' },
  },
  {
    name: 'a feed over http',
    mark: 'repaired',
    call: () => ({ tool: 'subscribe_ical', args: { url: 'http://calendars.example.com/holidays.ics' } }),
    refusal: { type: 'validation_error' },
  },
  {
    name: 'a misspelt argument',
    mark: 'repaired',
    call: () => book({ ...nine, duration_minute: 45 }),
    refusal: { type: 'validation_error' },
    holds: ({ event }) => event.end === '2026-12-01T09:45:00+01:00',
  },
  {
    name: 'too many calls',
    mark: 'repaired',
    // The agent and the calendar have taken two of them.
    rate: 3,
    async call({ service, key }) {
      await service.call('GET', '/v1/agents', { key })
      return { tool: 'list_calendars', args: {} }
    },
    refusal: { type: 'rate_limit_error', next: /retry_after_seconds/ },
  },
  {
    name: 'find_meeting_time with the key of an agent',
    mark: 'refused',
    call: async ({ service, key, agent }) => ({
      tool: 'find_meeting_time',
      args: { agents: [agent.id] },
      key: await makeAgentKey(service, key, agent.id),
    }),
    refusal: { type: 'forbidden', next: /organization key/ },
  },
  {
    name: 'a hold on the free plan',
    mark: 'refused',
    plan: 'free',
    call: () => book({ ...nine, status: 'hold' }),
    refusal: { type: 'plan_required', next: /person/ },
  },
  {
    name: 'an imported event changed',
    mark: 'refused',
    async call({ service, key, calendar }) {
      const { id } = await makeEvent(service, key, calendar.id)
      await service.app.sql`update events set source = 'external_ical' where id = ${decodeId('evt', id)!}`
      return { tool: 'update_event', args: { event_id: id, title: 'Mine' } }
    },
    refusal: { type: 'forbidden', code: 'external_event_readonly', next: /where it was made/ },
  },
  {
    name: 'a date for an hour of work',
    mark: 'repaired',
    call: () => book({ start_time: '2026-12-01' }),
    refusal: { type: 'validation_error', code: 'invalid_time_format' },
  },
  {
    name: 'a hold over an equal one',
    mark: 'repaired',
    async call({ service, key, calendar }) {
      await makeHold(service, key, calendar.id, {
        start_time: '2026-12-01T08:00:00Z',
        end_time: '2026-12-01T08:30:00Z',
      })
      return book({ ...nine, hold_minutes: 10 })
    },
    refusal: { type: 'conflict', code: 'hold_conflict', next: /hold_priority/ },
  },
  {
    name: 'working hours as JSON text',
    call: () => ({
      tool: 'set_availability_rules',
      args: { working_hours: '{"mon":{"start":"09:00","end":"17:00"}}', timezone: 'Europe/Berlin' },
    }),
  },
  { name: 'rules that are not there', call: () => ({ tool: 'get_availability_rules', args: {} }) },
  {
    name: 'a proposal with local times',
    async call({ service, key, agent }) {
      const other = await makeAgent(service, key)
      const slots = [{ start_time: '2026-12-01T09:00', end_time: '2026-12-01T10:00' }]
      const who = { organizer_agent_id: agent.id, participant_agent_ids: [other.id] }
      return { tool: 'create_proposal', args: { title: 'Review', ...who, slots } }
    },
    holds: ({ proposal }) => proposal.slots[0].start_time === '2026-12-01T09:00:00+01:00',
  },
  {
    name: 'a webhook with one event as text',
    call: () => ({ tool: 'create_webhook', args: { url: 'https://example.com/hook', events: 'event.created' } }),
  },
  {
    name: 'a number beyond its bound',
    mark: 'repaired',
    call: () => ({ tool: 'list_events', args: { limit: 500 } }),
    refusal: { type: 'validation_error' },
  },
]
