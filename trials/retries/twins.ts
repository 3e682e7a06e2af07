// Two hundred times the same request at once, over all processes: one of them does it, and all get its answer.
import { randomUUID } from 'node:crypto'
import type { Differences } from './check.ts'
import type { LossyClient, Question } from './lossyClient.ts'
import { nextTimes, type Told } from './stories.ts'

const twinCount = 200

type Scene = { client: LossyClient; calendarId: string; agentId: string; told: Told; differences: Differences }

export async function askTwins({ client, calendarId, agentId, told, differences }: Scene): Promise<void> {
  const askAll = async (question: Question, type?: string, id?: string) => {
    const idempotencyKey = randomUUID()
    const all = await Promise.all(Array.from({ length: twinCount }, () => client.ask(question, idempotencyKey, 0)))
    const what = `${question.method} ${question.path}`
    const answers = new Set(all.map(({ reply: { status, text } }) => `${status} ${text}`))
    if (answers.size > 1) differences.other.push(`${what}: twins got ${[...answers].join(' and ')}`)
    const replayed = all.filter(({ reply }) => reply.isReplayed).length
    // On a busy machine the first may get 409 or 503, too.
    const wanted = all.some(({ losses }) => losses > 0) ? [twinCount - 1, twinCount] : [twinCount - 1]
    if (!wanted.includes(replayed)) differences.twice.push(`${what}: ${replayed} of ${twinCount} answers are replays`)
    const { reply } = all[0]!
    if (reply.status >= 300) throw new Error(`${what}: ${reply.status} ${reply.text}`)
    const record = reply.text && JSON.parse(reply.text)
    told.asked.push(all[0]!)
    if (type) told.entries.push(`${type} ${id ?? record.id}`)
    told.audited.push(`${what} ${id ?? record.id}`)
    return record
  }
  const path = `/v1/calendars/${calendarId}/events`
  const event = await askAll({ method: 'POST', path, body: { title: 'One', ...nextTimes() } }, 'event.created')
  await askAll({ method: 'PATCH', path: `/v1/events/${event.id}`, body: { title: 'Two' } }, 'event.updated', event.id)
  await askAll({ method: 'DELETE', path: `/v1/events/${event.id}` }, 'event.deleted', event.id)
  for (const [verb, type] of [
    ['confirm', 'event.hold_confirmed'],
    ['release', 'event.hold_released'],
  ] as const) {
    const hold_expires_at = new Date(Date.now() + 840_000).toISOString()
    const body = { title: 'Held', status: 'hold', hold_expires_at, ...nextTimes() }
    const hold = await askAll({ method: 'POST', path, body }, 'event.hold_created')
    await askAll({ method: 'PUT', path: `/v1/events/${hold.id}/${verb}` }, type, hold.id)
    told.living.add(hold.id)
  }
  told.spent += 3
  const key = await askAll({ method: 'POST', path: '/v1/keys', body: { agent_id: agentId } })
  await askAll({ method: 'DELETE', path: `/v1/keys/${key.id}` }, undefined, key.id)
}
