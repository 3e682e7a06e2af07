// The history of an event, in sentences. Pure.
import type { AuditEntry, EventHistoryEntry, EventInstance } from '../../clients/typescript/src/entry.ts'

type Kind = 'created' | 'changed' | 'confirmed' | 'released' | 'deleted' | 'restored'

type Words = {
  byWhom: Record<Kind, (who: string) => string>
  imported: string
  theService: string
  aMember: string
}

/** `fields`: the keys of the record that were changed. */
type Line = { at: string; text: string; fields: readonly string[] }

/** The guest who booked it, as the booking page keeps them. */
function guestOf({ metadata }: EventInstance): string | undefined {
  const booking = metadata.booking as { name?: unknown; email?: unknown } | undefined
  return [booking?.name, booking?.email].find((one): one is string => typeof one === 'string' && one !== '')
}

const kinds: Readonly<Record<string, Kind>> = {
  'event.created': 'created',
  'event.hold_created': 'created',
  'event.updated': 'changed',
  'event.hold_renewed': 'changed',
  'event.hold_confirmed': 'confirmed',
  'event.hold_released': 'released',
  'event.deleted': 'deleted',
}

/** The history says that an account acted, the audit log says which. It writes its line just after the change. */
const nearMs = 10_000

/** Whether the change is of a session: neither a key, nor time, nor a guest. */
export const isOfAccount = ({ actor, cause }: EventHistoryEntry): boolean =>
  actor !== null && !actor.agent_id && !actor.key_prefix && cause !== 'booking'

function accountOf({ at }: EventHistoryEntry, audited: readonly AuditEntry[]): string | undefined {
  const distance = ({ created_at }: AuditEntry) => Math.abs(Date.parse(created_at) - Date.parse(at))
  return audited
    .filter((one) => one.actor_account && distance(one) <= nearMs)
    .toSorted((a, b) => distance(a) - distance(b))[0]?.actor_account
}

type Known = {
  event: EventInstance
  /** The names of agents. */
  names: ReadonlyMap<string, string>
  audited: readonly AuditEntry[]
}

/** `entries` come newest first; the sentences, too. The beginning is said even if no entry of it is kept. */
export function sentencesOf(
  entries: readonly EventHistoryEntry[],
  { event, names, audited }: Known,
  words: Words,
): Line[] {
  const guest = guestOf(event)
  function whoOf(entry: EventHistoryEntry): string {
    const { actor, cause } = entry
    if (cause === 'booking') return guest ?? words.theService
    if (actor?.agent_id) return names.get(actor.agent_id) ?? actor.agent_id
    if (actor?.key_prefix) return actor.key_prefix
    return isOfAccount(entry) ? (accountOf(entry, audited) ?? words.aMember) : words.theService
  }
  const oldest = entries.findLastIndex(({ type }) => kinds[type] === 'created')
  const lines = entries.flatMap((entry, nth): (Line & { kind: Kind })[] => {
    const named = kinds[entry.type]
    if (!named) return []
    // Of two beginnings, the later one is a restoration.
    const kind = named === 'created' && nth < oldest ? 'restored' : named
    const text = kind === 'created' && entry.cause === 'import' ? words.imported : words.byWhom[kind](whoOf(entry))
    return [{ kind, at: entry.at, text, fields: entry.changes?.map(({ field }) => field) ?? [] }]
  })
  if (lines.some(({ kind }) => kind === 'created')) return lines
  const first = event.source === 'external_ical' ? words.imported : guest && words.byWhom.created(guest)
  return first ? [...lines, { at: event.createdAt, text: first, fields: [] }] : lines
}
