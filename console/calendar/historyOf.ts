// The history of an event, in sentences. Pure.
import type { AuditEntry, EventInstance } from '../../clients/typescript/src/entry.ts'

type Words = {
  byWhom: Record<'created' | 'changed' | 'confirmed' | 'released' | 'deleted', (who: string) => string>
  imported: string
  theService: string
}

type Line = { at: string; text: string }

/** The guest who booked it, as the booking page keeps them. */
export function guestOf({ metadata }: EventInstance): string | undefined {
  const booking = metadata.booking as { name?: unknown; email?: unknown } | undefined
  return [booking?.name, booking?.email].find((one): one is string => typeof one === 'string' && one !== '')
}

const kindOf = ({ action, path }: AuditEntry): keyof Words['byWhom'] | undefined => {
  if (path?.endsWith('/confirm')) return 'confirmed'
  if (path?.endsWith('/release')) return 'released'
  return ({ 'event.create': 'created', 'event.update': 'changed', 'event.delete': 'deleted' } as const)[action]
}

const whoOf = ({ agent_id, actor_account, actor_key_prefix }: AuditEntry, names: ReadonlyMap<string, string>) =>
  (agent_id && (names.get(agent_id) ?? agent_id)) || actor_account || actor_key_prefix || undefined

/** `entries` come newest first; the sentences, too. The beginning is said even if no entry of it is kept. */
export function sentencesOf(
  entries: readonly AuditEntry[],
  names: ReadonlyMap<string, string>,
  { event, guest }: { event: EventInstance; guest: string | undefined },
  words: Words,
): Line[] {
  const lines = entries.flatMap((entry): (Line & { kind: string })[] => {
    const kind = kindOf(entry)
    if (!kind) return []
    const who = whoOf(entry, names) ?? (kind === 'created' ? guest : undefined) ?? words.theService
    return [{ kind, at: entry.created_at, text: words.byWhom[kind](who) }]
  })
  if (lines.some(({ kind }) => kind === 'created')) return lines
  const isImported = event.source === 'external_ical'
  const first = isImported ? words.imported : guest && words.byWhom.created(guest)
  return first ? [...lines, { at: event.createdAt, text: first }] : lines
}
