// Which texts of a record somebody outside wrote. Records are recognized by their fields, whatever door shows them: an event of REST,
// of the change feed, of a webhook or of a tool, a moment of it, a booking, a request that waits for approval. Pure.
import type { Origin } from '../actors/outsideText.ts'

export type Json = Record<string, unknown>

/** `name`: of the guest, as far as it is known. */
export type EventOrigin = { by: 'import' } | { by: 'guest'; name: string | undefined }

/** By public id: of events, and of the events that requests for approval are about. */
export type Found = ReadonlyMap<string, EventOrigin>

/** `ofEntries`: of the event that was asked for, which entries of its history and a tried request for approval do not name. */
export type Origins = { found: Found; ofEntries?: EventOrigin | undefined }

/** By path. */
type Outside = Map<string, Origin>

const imported: EventOrigin = { by: 'import' }
const importedFields = ['title', 'description', 'location', 'conference', 'labels', 'links']

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (prefix: string, value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(`${prefix}_`)

export const isEventId = (value: unknown): value is string => isId('evt', value)

/** The id by which the origin of a record has to be looked up; undefined if the record says all itself, or shows no text. */
export function idToLookUp(record: Json): string | undefined {
  if (isId('apr', record.id)) return typeof record.summary === 'string' ? record.id : undefined
  const text = record.title ?? record.note
  if (typeof text !== 'string' || isImported(record) || isPlain(record, text)) return undefined
  return eventIdOf(record)
}

/** The title of a booking ends with the name of the guest, behind a colon. A whole record says if it is an import. */
const isPlain = ({ source }: Json, title: string): boolean => source !== undefined && !title.includes(': ')

function eventIdOf({ id, event_id, arguments: given }: Json): string | undefined {
  const suggested = isRecord(given) ? given.event_id : undefined
  return [id, event_id, suggested].find((one): one is string => isId('evt', one))
}

const isImported = ({ source, read_only }: Json): boolean => source === 'external_ical' || read_only === true

export function outsideOf(record: Json, origins: Origins): Outside {
  const outside: Outside = new Map()
  if (isBooking(record)) addAll(outside, record, ['name', 'email', 'notes', 'answers', 'guests'], 'guest')
  else if (isId('apr', record.id)) addRequest(outside, record, origins.found.get(record.id))
  else if (isTriedRequest(record)) addRequest(outside, record, origins.ofEntries)
  else if (isId('chg', record.change_id)) addChanges(outside, record, ['from', 'to'], origins.ofEntries)
  else addEvent(outside, record, originOf(record, origins))
  return outside
}

/** A request for approval that a dry run shows: it has no id, and is about the event that was asked for. */
const isTriedRequest = ({ id, summary, expires_at }: Json): boolean =>
  id === null && typeof summary === 'string' && expires_at !== undefined

/** In the list of a page. */
const isBooking = ({ event_id, email, answers, guests }: Json): boolean =>
  isId('evt', event_id) && typeof email === 'string' && Array.isArray(answers) && Array.isArray(guests)

function originOf(record: Json, origins: Origins): EventOrigin | undefined {
  if (isImported(record)) return imported
  const id = eventIdOf(record)
  return (id && origins.found.get(id)) || bookedBy(record.metadata)
}

/** By its metadata: the booking itself is forgotten after a while. */
export function bookedBy(metadata: unknown): EventOrigin | undefined {
  if (!isRecord(metadata) || !isId('bkp', metadata.booking_page_id) || !isRecord(metadata.booking)) return undefined
  const { name } = metadata.booking
  return { by: 'guest', name: typeof name === 'string' ? name : undefined }
}

function addEvent(outside: Outside, record: Json, origin: EventOrigin | undefined): void {
  if (origin?.by === 'import') addAll(outside, record, [...importedFields, 'note'], 'import')
  if (origin?.by !== 'guest') return
  for (const field of ['title', 'note']) if (names(record[field], origin.name)) outside.set(field, 'guest')
  const { metadata } = record
  if (isRecord(metadata)) addTexts(outside, metadata.booking, 'metadata.booking', 'guest')
}

/** The summary quotes the title. */
function addRequest(outside: Outside, record: Json, origin: EventOrigin | undefined): void {
  if (!origin) return
  if (origin.by === 'import' || names(record.summary, origin.name)) outside.set('summary', origin.by)
  addChanges(outside, record, ['before'], origin)
}

/** Of an event, field by field: `sides` are the values before and after. */
function addChanges(
  outside: Outside,
  { changes }: Json,
  sides: readonly string[],
  origin: EventOrigin | undefined,
): void {
  if (!origin || !Array.isArray(changes)) return
  for (const [nth, change] of changes.entries()) {
    for (const side of sides) {
      const { field, [side]: value } = change as Json
      const found: Outside = new Map()
      addEvent(found, { [String(field)]: value }, origin)
      for (const [path, by] of found) outside.set(`changes.${nth}.${side}${path.slice(String(field).length)}`, by)
    }
  }
}

const names = (text: unknown, name: string | undefined): boolean =>
  typeof text === 'string' && name !== undefined && text.includes(`: ${name.replace(/\s+/g, ' ')}`)

function addAll(outside: Outside, record: Json, fields: readonly string[], origin: Origin): void {
  for (const field of fields) addTexts(outside, record[field], field, origin)
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
const publicId = /^[a-z]{3}_[0-9a-z]{26}$/

/** Each text in a value by itself, at any depth; times and ids stay. */
function addTexts(outside: Outside, value: unknown, path: string, origin: Origin): void {
  if (typeof value === 'string') {
    if (value !== '' && !instant.test(value) && !publicId.test(value)) outside.set(path, origin)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) addTexts(outside, one, `${path}.${name}`, origin)
  }
}
