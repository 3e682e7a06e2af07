// What an event is about.

type Payload = Record<string, { id?: unknown } | string | undefined>

/** `id`: null if the change of the event makes it. */
export function resourceOf(type: string, payload: unknown): { type: string; id: string | null } {
  const [noun = '', verb = ''] = type.split('.')
  if (verb.endsWith('created')) return { type: noun, id: null }
  const { [noun]: record, [`${noun}_id`]: id } = payload as Payload
  const named = typeof record === 'object' ? record.id : id
  return { type: noun, id: named as string }
}
