// A human whose account is connected, whose calendars are chosen and granted to an agent: where most goals begin.
import type { ProviderName } from '../../src/providers/rules.ts'
import { type Account, type Desk, openDesk } from './desk.ts'
import { until } from './goal.ts'
import type { Site } from './site.ts'

export type Human = { desk: Desk; agentId: string; calendarId: string; account: Account }

type Wishes = {
  desk?: Desk
  /** How many calendars they have. */
  calendars?: number
  isPublished?: boolean
}

export async function openHuman(site: Site, provider: ProviderName, wishes: Wishes = {}): Promise<Human> {
  const { desk = await openDesk(site), calendars = 1, isPublished = false } = wishes
  const { agentId, calendarId } = await desk.makeAgent()
  const capabilities = ['availability' as const, ...(isPublished ? ['publishing' as const] : [])]
  const account = await desk.connect(provider, capabilities, calendars)
  const ids = account.calendars.map(({ id }) => id)
  await desk.select(account, ids)
  await desk.grant(agentId, ids)
  if (isPublished) await desk.publish(calendarId, ids[0]!)
  return { desk, agentId, calendarId, account }
}

/** As many humans as that, ten in each organization: no organization may connect more in a minute. */
export async function openHumans(site: Site, provider: ProviderName, count: number): Promise<Human[]> {
  const humans: Human[] = []
  let desk: Desk | undefined
  for (let nth = 0; nth < count; nth++) {
    if (nth % 10 === 0 || !desk) desk = await openDesk(site)
    humans.push(await openHuman(site, provider, { desk }))
  }
  return humans
}

/** The answer to an agent that asks about its human. */
export const askAbout = ({ desk, agentId }: Human, startMs: number, endMs: number, more: Record<string, string> = {}) =>
  desk.ask(
    'GET',
    `/v1/agents/${agentId}/availability?${new URLSearchParams({ start: isoOf(startMs), end: isoOf(endMs), ...more })}`,
  )

export const isoOf = (ms: number): string => new Date(ms).toISOString()

/** Every calendar was read, and none is due or being read. */
export const atRest = (site: Site, maxMs = 300_000): Promise<number> =>
  until('every calendar was read', maxMs, async () => (await readState(site)).unfinished === 0, 500)

/** Sets the clock to just before the next read, unless one is due or under way. */
export async function toNextRead(site: Site): Promise<void> {
  const { unfinished, nextAt } = await readState(site)
  const aheadMs = (nextAt?.getTime() ?? 0) - site.clock.now() - 1_000
  if (unfinished === 0 && aheadMs > 0) await site.clock.advance(site.sql, aheadMs)
}

async function readState({ sql }: Site) {
  const [row] = await sql<{ unfinished: number; next_at: Date | null }[]>`
    select
      count(*) filter (
        where last_read_ended_at is null or claimed_until > app_now() or next_read_at <= app_now() or notified_at is not null
      )::integer as unfinished,
      min(next_read_at) as next_at
    from calendar_connections where status = 'active'`
  return { unfinished: row!.unfinished, nextAt: row!.next_at }
}
