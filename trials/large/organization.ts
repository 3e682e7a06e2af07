// The organizations of a large installation: each knows its identifiers by numbers, so that millions need no memory.
import { dayMs } from '../../src/shapes/durations.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import { agentsOfSmall, type Kind, kindsOf } from './shape.ts'

export type LargeOrganization = {
  id: Uuid
  webhookId: Uuid
  agents: number
  /** Its place among all, and that of its first agent. */
  nth: number
  firstAgent: number
  email: string
}

const madeDaysAgo = { organizations: 101, agents: 100, firstEvent: 99, lastEvent: 40 }

/**
 * An identifier of the millisecond, like a UUIDv7. The number tells it apart from all others of its table.
 */
export function idAt(ms: number, number: number): Uuid {
  const time = Math.floor(ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}` as Uuid
}

const agoMs = (nowMs: number, days: number) => nowMs - days * dayMs

export const organizationMadeMs = (nowMs: number): number => agoMs(nowMs, madeDaysAgo.organizations)
export const agentMadeMs = (nowMs: number): number => agoMs(nowMs, madeDaysAgo.agents)

/** Before the billing period of its organization. */
export function eventMadeMs(nowMs: number, number: number, total: number): number {
  const spanMs = (madeDaysAgo.firstEvent - madeDaysAgo.lastEvent) * dayMs
  return Math.floor(agoMs(nowMs, madeDaysAgo.firstEvent) + (number / total) * spanMs)
}

export const agentId = (nowMs: number, number: number): Uuid => idAt(agentMadeMs(nowMs), number)

/** `which`: 0 is the fuller calendar of the agent. */
export const calendarId = (nowMs: number, agent: number, which: number): Uuid =>
  idAt(agentMadeMs(nowMs), agent * 2 + which)

export function organizationsOf(agents: number, nowMs: number): LargeOrganization[] {
  const organizations: LargeOrganization[] = []
  let firstAgent = 0
  for (const kind of kindsOf(agents)) {
    for (let one = 0; one < kind.count; one++) {
      const nth = organizations.length
      const [id, webhookId] = [idAt(organizationMadeMs(nowMs), nth), idAt(organizationMadeMs(nowMs), nth)]
      organizations.push({ id, webhookId, agents: kind.agents, nth, firstAgent, email: `owner-${nth}@example.com` })
      firstAgent += kind.agents
    }
  }
  return organizations
}

/** Agents whose calendars the trial works on: as many of each kind of organization, spread over it. Numbers of agents. */
export function chosenAgents(kinds: readonly Kind[], perKind: number): number[] {
  const chosen: number[] = []
  let first = 0
  // The last organization may be a small one with fewer agents.
  for (const { count, agents } of kinds.filter((kind) => kind.agents >= agentsOfSmall)) {
    const total = count * agents
    const step = Math.max(1, Math.floor(total / perKind))
    for (let nth = 0; nth < Math.min(perKind, total); nth++) chosen.push(first + nth * step)
    first += total
  }
  return chosen
}
