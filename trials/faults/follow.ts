// Readers of the change feed, over both API processes: each must get every committed change of its organization once, and the changes
// of one record in order.
import { setTimeout as pause } from 'node:timers/promises'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { type FeedReader, openFeedReader } from '../../src/testing/feedReader.ts'
import type { Caller } from './client.ts'
import type { Findings } from './findings.ts'
import type { ChangeFact } from './snapshot.ts'
import type { Tenant } from './tenants.ts'

/** The entries that one reader got since it began, or began anew. */
export type Chain = { orgId: string; entries: FeedReader['entries']; broken?: string }

/** Its cursor is gone (410): a client lists everything again. */
class Gone extends Error {}

export type Following = {
  chains: readonly Chain[]
  /** Continues from its cursor. The returned function reads to the end and stops. */
  begin(): () => Promise<void>
}

const restMs = 200
const triesPauseMs = 250
const maxTries = 120
/** Changes that were committed before the snapshot but after this time may be in it. */
const graceMs = 20_000

export function openFollowing(tenants: readonly Tenant[]): Following {
  const followers = tenants.map(({ orgId, api }) => {
    const beginAnew = () => openFeedReader(askerOf(api), 'oldest', { payload: 'none' })
    const chain: Chain = { orgId, entries: [] }
    return { chain, beginAnew, reader: beginAnew() }
  })
  return {
    chains: followers.map(({ chain }) => chain),
    begin() {
      let isOver = false
      const reading = followers.map(async (follower) => {
        const { chain, beginAnew } = follower
        for (let isRead = false; !isRead; ) {
          try {
            await readOn(follower.reader, () => isOver)
            isRead = true
          } catch (error) {
            if (error instanceof Gone) follower.reader = beginAnew()
            else {
              chain.broken = (error as Error).message.slice(0, 300)
              isRead = true
            }
          }
        }
        chain.entries = follower.reader.entries
      })
      return async () => {
        isOver = true
        await Promise.all(reading)
      }
    },
  }
}

async function readOn(reader: FeedReader, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await reader.step({ wait: '2', limit: String(1 + Math.floor(Math.random() * 200)) })
    await pause(restMs)
  }
  await reader.finish()
}

/** Repeats until the service answers. */
const askerOf = (api: Caller) => async (query: Record<string, string>) => {
  for (let tries = 1; ; tries++) {
    const answer = await api.call('GET', `/v1/changes?${new URLSearchParams(query)}`)
    if (answer.status === 410) throw new Gone()
    const isAway = answer.status === 0 || answer.status === 429 || answer.status >= 500
    if (!isAway || tries === maxTries) return { ...answer, headers: new Headers() }
    await pause(triesPauseMs)
  }
}

type Stored = { changes: readonly ChangeFact[]; at: Date }

/** `changes`: the table, in the order of the feed. */
export function judgeChains(chains: readonly Chain[], { changes, at }: Stored, findings: Findings): void {
  for (const { orgId, entries, broken } of chains) {
    if (broken) findings.add('promise', `the change feed of ${orgId}: ${broken}`)
    const places = new Map(entries.map(({ id }, place) => [id, place]))
    const stored = changes.filter((change) => change.orgId === orgId)
    judgeWhole(entries, new Set(stored.map(idOf)), at, findings)
    for (const change of stored) {
      if (!broken && !places.has(idOf(change))) findings.add('lost', `${idOf(change)} ${change.type} reached no reader`)
    }
    judgeOrder(
      'calendar',
      stored.filter(({ revision }) => revision !== null),
      ({ calendarId }) => calendarId,
      places,
      findings,
    )
    judgeOrder('thing', stored, ({ resourceId }) => resourceId, places, findings)
  }
}

function judgeWhole(entries: Chain['entries'], known: ReadonlySet<string>, at: Date, findings: Findings): void {
  const seen = new Set<string>()
  for (const entry of entries) {
    if (seen.has(entry.id)) findings.add('twice', `${entry.id} was read twice in one chain of cursors`)
    seen.add(entry.id)
    const isOld = Date.parse(entry.at) < at.getTime() - graceMs
    if (isOld && !known.has(entry.id))
      findings.add('half', `${entry.id} ${entry.type} was read and is not in the database`)
  }
}

function judgeOrder(
  what: string,
  stored: readonly ChangeFact[],
  groupOf: (change: ChangeFact) => string | null,
  places: ReadonlyMap<string, number>,
  findings: Findings,
): void {
  const last = new Map<string, number>()
  for (const change of stored) {
    const group = groupOf(change)
    const place = places.get(idOf(change))
    if (group === null || place === undefined) continue
    if (place < (last.get(group) ?? -1))
      findings.add('half', `${idOf(change)} was read too early for its ${what} ${group}`)
    last.set(group, place)
  }
}

const idOf = ({ changeId, position }: ChangeFact) => `${encodeId('chg', changeId as Uuid)}.${position}`
