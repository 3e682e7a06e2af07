// Repeated requests of every organization over MCP: tools that read, resources, prompts and completions. It recognises its
// own answer as in visits.ts.
import { request, toolCall } from './doors.ts'
import type { Expectation } from './identity.ts'
import type { Question } from './question.ts'
import type { Tenant } from './tenants.ts'

const hour = 60 * 60_000

/** An hour before the standing event until an hour after it. */
const around = ({ standing }: Tenant) => ({
  start: new Date(Date.parse(standing.start_time) - hour).toISOString(),
  end: new Date(Date.parse(standing.end_time) + hour).toISOString(),
})

const overMcp = (body: object, expects: Expectation): Question => ({
  method: 'POST',
  path: '/mcp?profile=full,coordination,meetings',
  body,
  expects: (answer) => answer.result !== undefined && expects(answer.result),
})

const asks = (tool: string, args: object, expects: Expectation): Question =>
  overMcp(toolCall(tool, args), ({ structuredContent: answer }) => answer !== undefined && expects(answer))

const sameTime = (one: string, other: string) => Date.parse(one) === Date.parse(other)
const isStanding = ({ standing }: Tenant, busy: { start: string; end: string }[] | undefined): boolean =>
  busy?.length === 1 && sameTime(busy[0]!.start, standing.start_time) && sameTime(busy[0]!.end, standing.end_time)

const holds = (list: { id: string }[], id: string): boolean => list.some((one) => one.id === id)

export const toolQuestions: readonly ((tenant: Tenant) => Question)[] = [
  ({ home }) => asks('get_calendar_context', { calendar_id: home }, ({ calendar_id }) => calendar_id === home),
  ({ calendarIds }) => asks('list_calendars', { limit: 50 }, ({ total }) => total === calendarIds.length),
  (tenant) => {
    const { home, standing } = tenant
    const expects: Expectation = ({ events, total }) => total === 1 && events[0].id === standing.id
    return asks('list_events', { calendar_id: home, ...around(tenant) }, expects)
  },
  ({ standing }) => asks('get_event_history', { event_id: standing.id }, ({ total }) => total === 1),
  ({ home }) => asks('list_deleted_events', { calendar_id: home }, ({ events }) => Array.isArray(events)),
  ({ standing }) => asks('get_event', { event_id: standing.id }, ({ event }) => event.id === standing.id),
  (tenant) => {
    const args = { calendar_id: tenant.home, ...around(tenant), include_busy: true }
    return asks('get_availability', args, ({ busy }) => isStanding(tenant, busy))
  },
  (tenant) => {
    const { agentId } = tenant
    const args = { agents: [agentId], ...around(tenant), include_busy: true }
    return asks('find_meeting_time', args, ({ per_agent_busy }) => isStanding(tenant, per_agent_busy?.[agentId]))
  },
  ({ agents }) => {
    const { made } = agents
    return asks('list_agents', { limit: 20 }, ({ total }) => total >= made && total <= agents.begun)
  },
  ({ agentId }) => asks('get_agent', { agent_id: agentId }, ({ agent }) => agent.id === agentId),
  ({ agentId, mark }) => {
    const args = { agent_id: agentId, description: `Changed by ${mark}` }
    return asks('update_agent', args, ({ agent }) => agent.id === agentId)
  },
  ({ home }) => asks('get_calendar', { calendar_id: home }, ({ calendar }) => calendar.id === home),
  ({ page }) => asks('get_booking_page', { booking_page_id: page.id }, ({ booking_page: { id } }) => id === page.id),
  ({ webhookId }) => asks('list_webhooks', {}, ({ webhooks }) => holds(webhooks, webhookId)),
  ({ webhookId }) => asks('list_webhook_deliveries', { webhook_id: webhookId }, ({ total }) => total > 0),
  () => asks('get_audit_log', { limit: 20 }, ({ entries }) => entries.length > 0),
  ({ home }) => {
    const uri = `agent-calendar://calendars/${home}/context`
    return overMcp(request('resources/read', { uri }), ({ contents: [{ text }] }) => text.includes(home))
  },
  ({ calendarIds, home }) =>
    overMcp(
      request('resources/list', {}),
      ({ resources }) =>
        resources.length === 1 + calendarIds.length && resources.some(({ uri }: { uri: string }) => uri.includes(home)),
    ),
  ({ agentId, mark }) => {
    const params = { name: 'daily_agenda', arguments: { agent_id: agentId } }
    return overMcp(request('prompts/get', params), ({ messages: [{ content }] }) => content.text.includes(mark))
  },
  ({ home, mark }) => {
    const ref = { type: 'ref/resource', uri: 'agent-calendar://calendars/{calendar_id}/context' }
    const params = { ref, argument: { name: 'calendar_id', value: mark } }
    return overMcp(request('completion/complete', params), ({ completion }) => completion.values.includes(home))
  },
]
