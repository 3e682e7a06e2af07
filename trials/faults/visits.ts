// Repeated questions of every organization about its own records, and how it recognises its own answer: a record by
// its id, a list by the records that it must have, free time by the one event that is there.
import { type Expectation, hasId } from './identity.ts'
import type { Question } from './question.ts'
import type { Tenant } from './tenants.ts'
import { toolQuestions } from './toolVisits.ts'

const lists =
  (...ids: string[]): Expectation =>
  ({ data, total }) =>
    total === ids.length &&
    data
      .map(({ id }: { id: string }) => id)
      .sort()
      .join() === ids.toSorted().join()

const aroundMs = 2 * 60 * 60_000
const around = ({ standing }: Tenant) => ({
  after: new Date(Date.parse(standing.start_time) - aroundMs).toISOString(),
  before: new Date(Date.parse(standing.end_time) + aroundMs).toISOString(),
})
const isStanding = ({ standing }: Tenant, busy: { start: string; end: string }[] | undefined) =>
  busy?.length === 1 && busy[0]!.start === standing.start_time && busy[0]!.end === standing.end_time
/** Every cause is named, and each is the standing event. */
const isExplained = ({ standing }: Tenant, causes: { event_id?: string }[] | undefined) =>
  causes !== undefined && causes.length > 0 && causes.every(({ event_id }) => event_id === standing.id)

/** It is ahead of UTC by 5:45 all year. */
export const localZone = 'Asia/Kathmandu'
const aheadMs = (5 * 60 + 45) * 60_000
const onTheWall = (time: string) => new Date(Date.parse(time) + aheadMs).toISOString()

/** The same bounds as `around`, as local times without an offset. */
const localAround = (tenant: Tenant) => {
  const { after, before } = around(tenant)
  const zoned = (time: string) => `${onTheWall(time).slice(0, -1)}[${localZone}]`
  return { after: zoned(after), before: zoned(before) }
}

const isLocal = ({ start_time, end_time }: Tenant['standing'], local: Record<string, string> | undefined) => {
  const [start, end] = [onTheWall(start_time), onTheWall(end_time)]
  return (
    local?.timezone === localZone &&
    local.date === start.slice(0, 10) &&
    start.slice(11).startsWith(local.start!) &&
    end.slice(11).startsWith(local.end!) &&
    local.utc_offset === '+05:45'
  )
}

const routeQuestions: readonly ((tenant: Tenant) => Question)[] = [
  ({ agentId }) => ({ path: `/v1/agents/${agentId}`, expects: hasId(agentId) }),
  ({ agents }) => {
    const { made } = agents
    return { path: '/v1/agents?limit=20', expects: ({ total }) => total >= made && total <= agents.begun }
  },
  ({ agentId, mark }) => ({
    method: 'PATCH',
    path: `/v1/agents/${agentId}`,
    body: { description: `Changed by ${mark}` },
    expects: hasId(agentId),
  }),
  ({ home }) => ({ path: `/v1/calendars/${home}`, expects: hasId(home) }),
  ({ calendarIds }) => ({ path: '/v1/calendars?include=all&limit=50', expects: lists(...calendarIds) }),
  ({ agentId, home }) => ({ path: `/v1/agents/${agentId}/calendars`, expects: lists(home) }),
  (tenant) => {
    const { after, before } = around(tenant)
    const path = `/v1/calendars/${tenant.home}/events?start_after=${after}&start_before=${before}`
    return { path, expects: lists(tenant.standing.id) }
  },
  (tenant) => {
    const { after, before } = around(tenant)
    const path = `/v1/events?calendar_ids=${tenant.home}&start=${after}&end=${before}`
    return { path, expects: ({ data }) => data.length === 1 && data[0].id === tenant.standing.id }
  },
  ({ home }) => ({
    path: `/v1/calendars/${home}/events?limit=50`,
    expects: ({ data }) => data.length > 0 && data.every((event: { calendarId: string }) => event.calendarId === home),
  }),
  ({ home, standing }) => ({ path: `/v1/calendars/${home}/events/${standing.id}`, expects: hasId(standing.id) }),
  ({ standing }) => ({
    path: `/v1/events/${standing.id}/history`,
    expects: ({ data, total }) => total === 1 && data[0].type === 'event.created',
  }),
  ({ home }) => ({
    path: `/v1/calendars/${home}/deleted-events`,
    expects: ({ data }) => data.length > 0 && data.every((event: { calendarId: string }) => event.calendarId === home),
  }),
  ({ home, standing }) => ({
    path: `/v1/calendars/${home}/events/${standing.id}?view=local&tz=${localZone}`,
    expects: ({ id, local }) => id === standing.id && isLocal(standing, local),
  }),
  (tenant) => {
    const { home, standing } = tenant
    const { after, before } = localAround(tenant)
    const path = `/v1/calendars/${home}/events?start_after=${after}&start_before=${before}&view=local&tz=${localZone}`
    return { path, expects: ({ data: [event], total }) => total === 1 && isLocal(standing, event.local) }
  },
  (tenant) => {
    const { home, standing } = tenant
    const { after, before } = localAround(tenant)
    const query = `start=${after}&end=${before}&include_busy=true&view=local&tz=${localZone}`
    return {
      path: `/v1/calendars/${home}/availability?${query}`,
      expects: ({ busy }) => isStanding(tenant, busy) && isLocal(standing, busy[0].local),
    }
  },
  ({ home }) => ({ path: `/v1/calendars/${home}/context`, expects: ({ calendar_id }) => calendar_id === home }),
  (tenant) => {
    const { after, before } = around(tenant)
    const path = `/v1/calendars/${tenant.home}/availability?start=${after}&end=${before}&include_busy=true`
    return { path, expects: ({ busy }) => isStanding(tenant, busy) }
  },
  (tenant) => {
    const { agentId } = tenant
    const { after, before } = around(tenant)
    const path = `/v1/agents/${agentId}/availability?start=${after}&end=${before}&include_busy=true`
    const expects: Expectation = ({ agents, per_agent_busy }) =>
      agents.join() === agentId && isStanding(tenant, per_agent_busy[agentId])
    return { path, expects }
  },
  (tenant) => {
    const { after, before } = around(tenant)
    const path = `/v1/calendars/${tenant.home}/availability?start=${after}&end=${before}&explain=true`
    return {
      path,
      expects: ({ blocked }) =>
        isExplained(
          tenant,
          blocked?.flatMap(({ by }: { by: { event_id?: string }[] }) => by),
        ),
    }
  },
  (tenant) => {
    const { after, before } = around(tenant)
    const path = `/v1/calendars/${tenant.home}/availability/check?start=${after}&end=${before}`
    return { path, expects: ({ blocked_by }) => isExplained(tenant, blocked_by) }
  },
  ({ page }) => ({ path: '/v1/booking-pages', expects: lists(page.id) }),
  ({ page }) => ({ path: `/v1/booking-pages/${page.id}`, expects: hasId(page.id) }),
  ({ page }) => ({
    by: 'visitor',
    path: `/book/${page.slug}/slots`,
    expects: ({ booking_page }) => booking_page.slug === page.slug,
  }),
  ({ page, mark }) => ({ by: 'visitor', path: `/book/${page.slug}`, expects: (html) => html.includes(mark) }),
  ({ feedPath, standing }) => ({ by: 'visitor', path: feedPath, expects: (file) => file.includes(standing.id) }),
  ({ webhookId }) => ({ path: `/v1/webhooks/${webhookId}`, expects: hasId(webhookId) }),
  ({ webhookId }) => ({
    path: '/v1/webhooks',
    expects: ({ data }) => data.some(({ id }: { id: string }) => id === webhookId),
  }),
  ({ webhookId }) => ({
    path: `/v1/webhooks/${webhookId}/deliveries?limit=20`,
    expects: ({ data }) => data.length > 0,
  }),
  () => ({ path: '/v1/audit-log?limit=20', expects: ({ data }) => data.length > 0 }),
  ({ orgId }) => ({ by: 'console', path: '/v1/auth/me', expects: ({ org }) => org.id === orgId }),
]

export const questions = [...routeQuestions, ...toolQuestions]

/** Asks one of the questions, or makes an agent. */
export async function visit(tenant: Tenant): Promise<void> {
  const ask = questions[Math.floor(Math.random() * (questions.length + 1))]
  return ask ? asked(tenant, ask(tenant)) : makeAgent(tenant)
}

/** Asks one of the questions over MCP. */
export const visitByTool = (tenant: Tenant): Promise<void> =>
  asked(tenant, toolQuestions[Math.floor(Math.random() * toolQuestions.length)]!(tenant))

async function asked(tenant: Tenant, question: Question): Promise<void> {
  const { by = 'api', method = 'GET', path, body, expects } = question
  await tenant[by].call(method, path, body, expects)
}

/** With its maker's mark. */
export async function makeAgent({ api, agents, mark }: Tenant): Promise<void> {
  const agent = { name: `Agent of ${mark}`, type: 'ai' }
  agents.begun++
  const { status } = await api.call('POST', '/v1/agents', agent, ({ name }) => name === agent.name)
  if (status === 201) agents.made++
}
