// When each webhook event was due, and which moments an event of the database must have. This follows the contract and
// uses nothing of the service's own code.
import { minuteMs } from '../../src/shapes/durations.ts'
import type { DeliveryFact, EventFact } from './snapshot.ts'

/** Names a moment: it fires at most once under one delivery id. */
export type Moment = { key: string; dueMs: number }

const keyOf = (eventId: string, type: string, dueMs: number) => `${eventId} ${type} ${new Date(dueMs).toISOString()}`

/** The moments of an event; it has some only while it is confirmed and not deleted. */
export function momentsOf(event: EventFact): Moment[] {
  if (event.status !== 'confirmed' || event.deletedAt || event.isSeries) return []
  const start = event.startTime.getTime()
  const moment = (type: string, dueMs: number) => ({ key: keyOf(event.id, type, dueMs), dueMs })
  return [
    moment('event.started', start),
    moment('event.ended', event.endTime.getTime()),
    ...event.reminders.map((minutes) => moment('event.reminder', start - minutes * minuteMs)),
  ]
}

/** The moment that a delivery is about; undefined if it is about a change. */
export function momentTold({ type, payload }: Pick<DeliveryFact, 'type' | 'payload'>): Moment | undefined {
  const dueMs = dueOf(type, payload)
  return dueMs === undefined ? undefined : { key: keyOf(payload.event_id, type, dueMs), dueMs }
}

function dueOf(type: string, payload: DeliveryFact['payload']): number | undefined {
  if (type === 'event.started') return Date.parse(payload.start_time)
  if (type === 'event.ended') return Date.parse(payload.end_time)
  if (type === 'event.reminder') return Date.parse(payload.start_time) - payload.reminder_minutes * minuteMs
  return undefined
}

/** The moment that a timer stands for. */
export const momentOfTimer = (eventId: string, kind: string, dueAt: Date): string => {
  const types: Record<string, string> = {
    event_start: 'event.started',
    event_end: 'event.ended',
    event_reminder: 'event.reminder',
    hold_expiry: 'event.hold_expired',
  }
  return keyOf(eventId, types[kind] ?? kind, dueAt.getTime())
}

export const holdExpiry = (event: EventFact): Moment => {
  const dueMs = event.holdExpiresAt?.getTime() ?? 0
  return { key: keyOf(event.id, 'event.hold_expired', dueMs), dueMs }
}

export const eventIdOf = ({ payload }: DeliveryFact): string => payload.event_id ?? payload.event?.id
