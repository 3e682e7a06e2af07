// Fills an empty database through COPY with organizations, agents, calendars, events with their timers, deliveries and
// entries of the change feed, then analyzes it.
import argon2 from 'argon2'
import type postgres from 'postgres'
import type { App } from '../../src/app.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { type Copy, openCopy } from '../world/copyRows.ts'
import {
  agentId,
  agentMadeMs,
  calendarId,
  chosenAgents,
  eventMadeMs,
  idAt,
  type LargeOrganization,
  organizationMadeMs,
  organizationsOf,
} from './organization.ts'
import { openStage } from './progress.ts'
import {
  deliveriesOf,
  entriesPerAgent,
  eventsOfCalendars,
  kindsOf,
  placeEvent,
  type Sizes,
  shareOfDay,
  sizesOf,
} from './shape.ts'
import {
  agentRow,
  calendarRow,
  columnsOf,
  deliveryRow,
  entryRow,
  eventRow,
  isFailed,
  organizationRows,
  timeOf,
  timerRows,
} from './tables.ts'

export const password = 'correct horse battery staple'

/** An agent with its fuller calendar: the trial works on these. */
export type Place = {
  key: string
  email: string
  agentIds: string[]
  calendarId: string
  calendar: { orgId: Uuid; id: Uuid }
  eventId: string
  /** Of the calendar feed. */
  token: string
}

type Options = {
  app: Pick<App, 'sealer'>
  /** With at least two connections. */
  sql: postgres.Sql
  agents: number
  /** Of the deliveries of each organization, in turn. */
  receivers: readonly string[]
  /** As many of each kind of organization. */
  placesPerKind?: number
  print?: (line: string) => void
  nowMs?: number
  stopped?: AbortSignal
}

type Filling = Required<Options> & { organizations: LargeOrganization[]; sizes: Sizes }

const deliveryDays = 30
const entryMs = 2 * dayMs
/** Agents of one availability question. */
const askedTogether = 5

export async function fillLarge(options: Options): Promise<Place[]> {
  const { agents, nowMs = Date.now() } = options
  const organizations = organizationsOf(agents, nowMs)
  const stopped = new AbortController().signal
  const filling = {
    print: console.log,
    placesPerKind: 10,
    stopped,
    ...options,
    nowMs,
    organizations,
    sizes: sizesOf(agents),
  }
  await makeDays(filling)
  const keys = await fillOrganizations(filling)
  await fillAgents(filling)
  const tokens = await fillCalendars(filling)
  await fillEvents(filling)
  await fillDeliveries(filling)
  await fillEntries(filling)
  await analyze(filling)
  return [...tokens].map(([agent, token]) => placeOf(filling, agent, token, keys))
}

/** The partitions of days that have passed, where the service keeps days apart. */
async function makeDays({ sql }: Filling): Promise<void> {
  for (const [name, days] of [
    ['make_change_partitions', entryMs / dayMs],
    ['make_delivery_partitions', deliveryDays + 1],
  ] as const) {
    const [found] = await sql`select to_regprocedure(${`${name}(date,date)`}) is not null as is_there`
    if (found!.is_there) await sql`select ${sql(name)}(current_date - ${days}::integer, current_date + 3)`
  }
}

type Table = keyof typeof columnsOf

/** Fills tables side by side. Prints how far `total` is, which `work` counts. */
async function stage<T extends Table>(
  { sql, print, stopped }: Filling,
  { name, total, tables }: { name: string; total: number; tables: readonly T[] },
  work: (copies: Record<T, Copy>, done: (rows: number) => void) => Promise<void>,
): Promise<void> {
  const progress = openStage(name, total, print)
  const opened: [T, Copy][] = []
  for (const table of tables) opened.push([table, await openCopy(sql, table, columnsOf[table])])
  await work(Object.fromEntries(opened) as Record<T, Copy>, (rows) => {
    stopped.throwIfAborted()
    progress.add(rows)
  })
  for (const [, copy] of opened) await copy.end()
  progress.end()
}

/** Returns the keys by organization. Tables that refer to others come after them, so each is copied by itself. */
async function fillOrganizations(filling: Filling): Promise<string[]> {
  const { app, sizes, organizations, nowMs, receivers } = filling
  // One hash for all: each would take 30 ms.
  const passwordHash = await argon2.hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const at = timeOf(organizationMadeMs(nowMs))
  const made = organizations.map((organization) => {
    const deliveries = deliveriesOf(organization.agents)
    const failed = Array.from({ length: deliveries }, (_, nth) => isFailed(nth)).filter(Boolean).length
    const receiver = receivers[organization.nth % receivers.length]!
    const facts = { at, passwordHash, receiver, failed, delivered: deliveries - failed }
    return organizationRows(app, organization, facts)
  })
  for (const table of [
    ...['organizations', 'api_keys', 'accounts', 'memberships', 'webhook_subscriptions', 'webhook_delivery_counts'],
  ] as (keyof (typeof made)[number]['rows'])[]) {
    await stage(filling, { name: table, total: sizes.organizations, tables: [table] }, async (copies, done) => {
      for (const { rows } of made) {
        await copies[table].write(rows[table])
        done(1)
      }
    })
  }
  await filling.sql`
    update accounts a set own_org_id = m.org_id from memberships m where m.account_id = a.id`
  return made.map(({ key }) => key)
}

function* agentsOf({ organizations, nowMs }: Filling): Generator<{ number: number; id: Uuid; orgId: Uuid }> {
  for (const { id: orgId, agents, firstAgent } of organizations) {
    for (let number = firstAgent; number < firstAgent + agents; number++) {
      yield { number, id: agentId(nowMs, number), orgId }
    }
  }
}

async function fillAgents(filling: Filling): Promise<void> {
  const at = timeOf(agentMadeMs(filling.nowMs))
  await stage(filling, { name: 'agents', total: filling.sizes.agents, tables: ['agents'] }, async (copies, done) => {
    for (const { orgId, id, number } of agentsOf(filling)) {
      await copies.agents.write(agentRow(orgId, id, number, at))
      done(1)
    }
  })
}

/** Returns the tokens of the calendar feeds of the chosen agents. */
async function fillCalendars(filling: Filling): Promise<Map<number, string>> {
  const { app, nowMs, agents, placesPerKind, sizes } = filling
  const chosen = new Set(chosenAgents(kindsOf(agents), placesPerKind))
  const tokens = new Map<number, string>()
  const at = timeOf(agentMadeMs(nowMs))
  await stage(filling, { name: 'calendars', total: sizes.calendars, tables: ['calendars'] }, async (copies, done) => {
    for (const { orgId, id, number } of agentsOf(filling)) {
      for (const which of eventsOfCalendars.keys()) {
        const calendar = { orgId, id: calendarId(nowMs, number, which), agentId: id, which }
        const { row, token } = calendarRow(app, calendar, at)
        if (which === 0 && chosen.has(number)) tokens.set(number, token)
        await copies.calendars.write(row)
        done(1)
      }
    }
  })
  return tokens
}

const eventsPerAgent = eventsOfCalendars[0] + eventsOfCalendars[1]

const eventId = ({ nowMs, sizes }: Filling, number: number): Uuid =>
  idAt(eventMadeMs(nowMs, number, sizes.events), number)

async function fillEvents(filling: Filling): Promise<void> {
  const { app, nowMs, sizes } = filling
  const tables = ['events', 'timers'] as const
  await stage(filling, { name: 'events', total: sizes.events, tables }, async ({ events, timers }, done) => {
    for (const { orgId, number: agent } of agentsOf(filling)) {
      let number = agent * eventsPerAgent
      for (const [which, count] of eventsOfCalendars.entries()) {
        for (let nth = 0; nth < count; nth++, number++) {
          const placed = placeEvent(nth, count, agent, nowMs)
          const event = { orgId, id: eventId(filling, number), calendarId: calendarId(nowMs, agent, which) }
          await events.write(eventRow(app, event, placed, timeOf(eventMadeMs(nowMs, number, sizes.events))))
          if (!placed.hasTimers) continue
          for (const timer of timerRows({ ...event, revision: nth + 1 }, placed)) await timers.write(timer)
        }
      }
      done(eventsPerAgent)
    }
  })
}

/** Day by day, as they were made. */
async function fillDeliveries(filling: Filling): Promise<void> {
  const { organizations, nowMs, sizes } = filling
  const tables = ['webhook_deliveries'] as const
  let number = 0
  await stage(filling, { name: 'deliveries', total: sizes.deliveries, tables }, async (copies, done) => {
    for (let day = 0; day < deliveryDays; day++) {
      const [firstMs, before] = [nowMs - (deliveryDays - day) * dayMs, number]
      const ofDay = shareOfDay(sizes.deliveries, day, deliveryDays)
      for (const organization of organizations) {
        const deliveries = deliveriesOf(organization.agents)
        const first = Math.floor((day * deliveries) / deliveryDays)
        for (let nth = first; nth < first + shareOfDay(deliveries, day, deliveryDays); nth++, number++) {
          // Within the day, whether or not its share was exact.
          const ms = Math.floor(firstMs + (Math.min(number - before, ofDay) / (ofDay + 1)) * dayMs)
          await copies.webhook_deliveries.write(deliveryRow(organization, { nth, ms, number: number + 1 }))
        }
        done(shareOfDay(deliveries, day, deliveryDays))
      }
    }
  })
}

async function fillEntries(filling: Filling): Promise<void> {
  const { app, sql, nowMs, sizes } = filling
  let seq = 0
  await stage(filling, { name: 'entries', total: sizes.entries, tables: ['changes'] }, async ({ changes }, done) => {
    for (const { orgId, id, number } of agentsOf(filling)) {
      for (let nth = 0; nth < entriesPerAgent; nth++) {
        const ms = Math.floor(nowMs - entryMs + (seq++ / sizes.entries) * entryMs)
        const about = {
          calendarId: calendarId(nowMs, number, 0),
          eventId: eventId(filling, number * eventsPerAgent + nth),
        }
        await changes.write(entryRow(app, { orgId, agentId: id, ...about, seq, ms }))
        done(1)
      }
    }
  })
  await sql`select setval('changes_seq', ${seq})`
}

const analyzed = [
  'organizations',
  'accounts',
  'memberships',
  'api_keys',
  'agents',
  'calendars',
  'events',
  'timers',
] as const

async function analyze({ sql, print, stopped }: Filling): Promise<void> {
  const tables = [...analyzed, 'webhook_subscriptions', 'webhook_delivery_counts', 'webhook_deliveries', 'changes']
  const progress = openStage('tables analyzed', tables.length, print)
  for (const table of tables) {
    stopped.throwIfAborted()
    await sql`vacuum analyze ${sql(table)}`
    progress.add(1)
  }
  await sql`checkpoint`
  progress.end()
}

function placeOf(filling: Filling, agent: number, token: string, keys: readonly string[]): Place {
  const { organizations, nowMs } = filling
  const organization = organizations.findLast(({ firstAgent }) => firstAgent <= agent)!
  const { id: orgId, nth, email, firstAgent, agents } = organization
  const id = calendarId(nowMs, agent, 0)
  const together = Array.from({ length: Math.min(askedTogether, agents) }, (_, next) => {
    return encodeId('agt', agentId(nowMs, firstAgent + ((agent - firstAgent + next) % agents)))
  })
  return {
    ...{ key: keys[nth]!, email, agentIds: together, token },
    ...{ calendarId: encodeId('cal', id), calendar: { orgId, id } },
    eventId: encodeId('evt', eventId(filling, agent * eventsPerAgent)),
  }
}
