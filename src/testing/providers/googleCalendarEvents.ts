// Events of the emulator of Google as an application writes them: identifiers of its own, etags, and the remains of deleted
// ones.
import { type GoogleCalendar, type GoogleEvent, newEtag } from './googleCalendarAccounts.ts'
import { type GoogleAnswer, googleError } from './googleCalendarAnswers.ts'

type Written = { method: string; eventId: string; body: string; ifMatch: string | undefined }

const idPattern = /^[0-9a-v]{5,1024}$/

export function answerEvents(calendar: GoogleCalendar, { method, eventId, body, ifMatch }: Written): GoogleAnswer {
  const { events } = calendar
  const shown = (event: GoogleEvent): GoogleAnswer => ({ status: 200, body: event, headers: { etag: event.etag } })
  if (method === 'POST' && eventId === '') {
    const sent = JSON.parse(body) as Partial<GoogleEvent>
    const id = sent.id ?? Math.random().toString(32).slice(2).padEnd(8, '0')
    if (!idPattern.test(id) || !sent.start || !sent.end) return googleError(400, 'invalid')
    // Also one that was deleted: its identifier is never free again.
    if (events.has(id)) return googleError(409, 'duplicate')
    const event: GoogleEvent = {
      ...{ status: 'confirmed', sequence: 0, ...sent, id },
      ...{ start: sent.start, end: sent.end, etag: newEtag(), iCalUID: `${id}@google.com` },
    }
    events.set(id, event)
    return shown(event)
  }
  const event = events.get(eventId)
  if (!event) return googleError(404, 'notFound')
  if (method === 'GET') return shown(event)
  if (ifMatch !== undefined && ifMatch !== event.etag) return googleError(412, 'conditionNotMet')
  if (method === 'DELETE') {
    if (event.status === 'cancelled') return googleError(410, 'deleted')
    events.set(eventId, { ...event, status: 'cancelled', etag: newEtag() })
    return { status: 204 }
  }
  if (method !== 'PATCH') return googleError(404, 'notFound')
  if (event.status === 'cancelled') return googleError(403, 'forbidden')
  const change = JSON.parse(body) as Partial<GoogleEvent>
  const merged = {
    ...{ ...event, ...change, etag: newEtag(), sequence: event.sequence + 1 },
    ...{ start: { ...event.start, ...change.start }, end: { ...event.end, ...change.end } },
  }
  // A field that is sent as null goes, at any depth.
  const patched: GoogleEvent = JSON.parse(JSON.stringify(merged), (_field, value) => value ?? undefined)
  events.set(eventId, patched)
  return shown(patched)
}
