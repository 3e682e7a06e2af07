// The work of the clients: short stories of changes that build on each other. Each change must happen once, and each lists the
// entries that must appear once.
import { randomUUID } from 'node:crypto'
import type { Asked, LossyClient, Question } from './lossyClient.ts'

export type Told = {
  /** Every request, in the order of its client. */
  asked: Asked[]
  /** `<type> <id>`: entries of the change feed; the webhook events among them are delivered, too. */
  entries: string[]
  /** `<method> <path> <resource>`: entries of the audit log. */
  audited: string[]
  /** Ids of records that must exist in the end, and of those that must not. */
  living: Set<string>
  gone: Set<string>
  /** Events and holds that were made. */
  spent: number
}

export const openTold = (): Told => ({
  asked: [],
  entries: [],
  audited: [],
  living: new Set(),
  gone: new Set(),
  spent: 0,
})

type Scene = { client: LossyClient; calendarIds: readonly string[]; agentId: string; told: Told; shareLost: number }
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Change = (question: Question, type: string | undefined, id?: string) => Promise<any>
type Story = (scene: Scene, change: Change) => Promise<void>

const hourMs = 3_600_000
let slots = 0

/** No two of a run overlap. */
export function nextTimes() {
  const start = Date.now() + 24 * hourMs + slots++ * 60_000
  return { start_time: new Date(start).toISOString(), end_time: new Date(start + 60_000).toISOString() }
}

const eventStory: Story = async ({ calendarIds, told }, change) => {
  const path = `/v1/calendars/${anyOf(calendarIds)}/events`
  told.spent++
  const { id } = await change({ method: 'POST', path, body: { title: 'Once', ...nextTimes() } }, 'event.created')
  told.living.add(id)
  await change({ method: 'PATCH', path: `${path}/${id}`, body: { title: 'Once more' } }, 'event.updated', id)
  if (Math.random() < 0.5) return
  await change({ method: 'DELETE', path: `/v1/events/${id}` }, 'event.deleted', id)
  told.living.delete(id)
  told.gone.add(id)
}

const holdStory: Story = async ({ calendarIds, told }, change) => {
  const path = `/v1/calendars/${anyOf(calendarIds)}/events`
  const hold_expires_at = new Date(Date.now() + 840_000).toISOString()
  const body = { title: 'Held', status: 'hold', hold_expires_at, ...nextTimes() }
  told.spent++
  const { id } = await change({ method: 'POST', path, body }, 'event.hold_created')
  told.living.add(id)
  const [verb, type] = Math.random() < 0.5 ? ['confirm', 'event.hold_confirmed'] : ['release', 'event.hold_released']
  await change({ method: 'PUT', path: `/v1/events/${id}/${verb}` }, type, id)
}

/** A lost answer would be a lost secret. */
const keyStory: Story = async ({ agentId }, change) => {
  const { id } = await change({ method: 'POST', path: '/v1/keys', body: { agent_id: agentId } }, undefined)
  await change({ method: 'DELETE', path: `/v1/keys/${id}` }, undefined, id)
}

const calendarStory: Story = async (_, change) => {
  const body = { name: 'Short-lived', timezone: 'UTC' }
  const { id } = await change({ method: 'POST', path: '/v1/calendars', body }, 'calendar.created')
  await change({ method: 'PATCH', path: `/v1/calendars/${id}`, body: { name: 'Renamed' } }, 'calendar.updated', id)
  await change({ method: 'DELETE', path: `/v1/calendars/${id}` }, 'calendar.deleted', id)
}

const stories: readonly Story[] = [eventStory, eventStory, eventStory, holdStory, holdStory, keyStory, calendarStory]

/** Throws if a change is refused: no story gives a reason for a refusal. */
export async function play(scene: Scene): Promise<void> {
  const { client, told, shareLost } = scene
  const change: Change = async (question, type, id) => {
    const asked = await client.ask(question, randomUUID(), shareLost)
    const { method, path } = question
    const { status, text } = asked.reply
    if (status >= 300) throw new Error(`${method} ${path} after ${asked.losses} losses: ${status} ${text}`)
    const made = text && JSON.parse(text)
    told.asked.push(asked)
    if (type) told.entries.push(`${type} ${id ?? made.id}`)
    told.audited.push(`${method} ${path} ${id ?? made.id}`)
    return made
  }
  await anyOf(stories)(scene, change)
}

const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!
