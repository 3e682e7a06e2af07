// Compares the final records with the requests: each change exactly once.
import { setTimeout as pause } from 'node:timers/promises'
import type { Uuid } from '../../src/shapes/ids.ts'
import type { Receiver } from '../../src/testing/receiver.ts'
import type { made } from '../world/client.ts'
import type { Installation } from '../world/installation.ts'
import type { Asked, LossyClient } from './lossyClient.ts'
import type { Told } from './stories.ts'

type Get = (path: string) => ReturnType<typeof made>

/** The differences, in words. */
export type Differences = { lost: string[]; twice: string[]; other: string[] }

export const openDifferences = (): Differences => ({ lost: [], twice: [], other: [] })

function compare(what: string, wanted: Iterable<string>, found: Iterable<string>, into: Differences): void {
  const count = new Map<string, number>()
  for (const one of found) count.set(one, (count.get(one) ?? 0) + 1)
  for (const one of wanted) {
    const times = count.get(one) ?? 0
    if (times === 0) into.lost.push(`${what}: ${one}`)
    if (times > 1) into.twice.push(`${what}: ${one} ${times} times`)
    count.delete(one)
  }
  for (const one of count.keys()) into.twice.push(`${what}: ${one} was not asked for`)
}

export async function checkEvents(get: Get, calendarIds: readonly string[], told: Told, into: Differences) {
  const found: string[] = []
  for (const id of calendarIds) {
    for (let offset = 0, isMore = true; isMore; offset += 200) {
      const { data } = await get(`/v1/calendars/${id}/events?limit=200&offset=${offset}`)
      found.push(...data.map((event: { id: string }) => event.id))
      isMore = data.length === 200
    }
  }
  compare('an event', told.living, found, into)
}

export async function checkFeed(get: Get, begun: string, told: Told, into: Differences) {
  const found: string[] = []
  for (let cursor = begun, isMore = true; isMore; ) {
    const page = await get(`/v1/changes?limit=200&payload=none&cursor=${encodeURIComponent(cursor)}`)
    for (const { type, resource } of page.data) found.push(`${type} ${resource.id}`)
    cursor = page.cursor
    isMore = page.has_more
  }
  compare('an entry of the feed', told.entries, found, into)
}

export async function checkAudit({ withSql }: Installation, orgId: Uuid, since: Date, told: Told, into: Differences) {
  const rows = await withSql(
    (sql) => sql<{ line: string }[]>`
      select method || ' ' || path || ' ' || resource as line
      from audit_entries where org_id = ${orgId} and created_at >= ${since}`,
  )
  compare(
    'an entry of the audit log',
    told.audited,
    rows.map(({ line }) => line),
    into,
  )
}

const drainWithinMs = 60_000

/** Every webhook event of the stories has one delivery, and that came once. */
export async function checkDeliveries(site: Installation, receiver: Receiver, told: Told, into: Differences) {
  const until = performance.now() + drainWithinMs
  const isPending = () => site.withSql((sql) => sql`select from webhook_deliveries where status = 'pending' limit 1`)
  while ((await isPending()).length > 0) {
    if (performance.now() > until) throw new Error('deliveries are still pending')
    await pause(200)
  }
  const found = receiver.received.map(({ type, payload }) => `${type} ${payload.event?.id ?? payload.event_id}`)
  compare(
    'a delivery',
    told.entries.filter((entry) => entry.startsWith('event.')),
    found,
    into,
  )
}

/** Sent once more, each request gets its stored answer, to the last byte. */
export async function checkAnswers(client: LossyClient, asked: readonly Asked[], into: Differences) {
  const open = [...asked]
  const work = async () => {
    for (let one = open.pop(); one; one = open.pop()) {
      const { reply, seenByProxy, idempotencyKey, method, path } = one
      const again = (await client.ask(one, idempotencyKey, 0)).reply
      const what = `${method} ${path}`
      if (!again.isReplayed) into.other.push(`${what}: asked again, it was not a replay`)
      for (const earlier of [reply, ...(seenByProxy ? [seenByProxy] : [])]) {
        if (again.status === earlier.status && again.text === earlier.text) continue
        into.other.push(`${what}: ${again.status} ${again.text} after ${earlier.status} ${earlier.text}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
}

export async function checkUsage(get: Get, told: Told, into: Differences) {
  const { used } = (await get('/v1/usage')).events
  if (used !== told.spent) into.other.push(`${used} events are counted as used, ${told.spent} were made`)
}

export async function checkKeys(get: Get, living: number, into: Differences) {
  const { keys } = await get('/v1/keys')
  if (keys.length !== living) into.other.push(`${keys.length} keys of agents are left, ${living} should be`)
}
