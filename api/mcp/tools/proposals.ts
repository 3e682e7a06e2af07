// Meetings that agents agree on.
import { z } from 'zod'
import type { EventRecord } from '../../../src/events/present.ts'
import { proposalListQuery } from '../../../src/proposals/schema.ts'
import type { Route } from '../../http/route.ts'
import { askTwinIfThere, callOperation } from '../language/callOperation.ts'
import { eventZones } from '../language/eventTimes.ts'
import { fieldsOf, splitFields } from '../language/operationFields.ts'
import { bodyTimesRead, zonesOfIds } from '../language/operationTimes.ts'
import { shownRecord } from '../language/records.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { agentIdsOf, refuseAgentName } from '../language/subjects.ts'
import { operationTool, type ToolCall, writeTool } from '../language/tool.ts'
import { ToolRefusal } from '../language/toolRefusal.ts'
import { shownEvent } from './eventAnswer.ts'
import { timezone } from './eventFields.ts'
import { listingTool, readingTool, shownOf, zoneOfRecord } from './operationTools.ts'
import { type Choosable, requireMeetingCalendar, requireParticipant, withChoices } from './proposalChoices.ts'

type Json = Record<string, unknown>
type Call = Pick<ToolCall, 'app' | 'actor'>
type Proposal = Choosable & { id: string; calendar_id: string; created_event_id: string | null }

const routes = {
  create: routeNamed('createProposal'),
  get: routeNamed('getProposal'),
  respond: routeNamed('respondToProposal'),
  resolve: routeNamed('resolveProposal'),
  cancel: routeNamed('cancelProposal'),
  event: routeNamed('getEventById'),
}

const read = (call: ToolCall<unknown>, id: string) => callOperation<Proposal>(call, routes.get, { params: { id } })

async function shownProposal(call: Call, proposal: Proposal, requestedZone?: string): Promise<Json> {
  const zone = requestedZone ?? (await zoneOfRecord(call, proposal))
  return shownRecord(proposal, { zone, now: call.app.clock.now() })
}

type ProposalArguments = {
  organizer_agent_id: string
  participant_agent_ids: string[]
  calendar_id?: string
  slots: Json[]
}

/** The first suggestion has the ids of all names. */
async function refuseNames(call: Call, sent: ProposalArguments): Promise<void> {
  const checks = [
    refuseAgentName(call, sent.organizer_agent_id, 'organizer_agent_id'),
    agentIdsOf(call, 'participant_agent_ids', sent.participant_agent_ids, (nth) => `participant_agent_ids.${nth}`),
  ]
  const failed = (await Promise.allSettled(checks)).flatMap((check) =>
    check.status === 'rejected' ? [check.reason] : [],
  )
  const [first, second] = failed
  if (first instanceof ToolRefusal && second instanceof ToolRefusal) {
    const [ids] = second.suggestions
    throw first.suggesting(
      first.suggestions.map((one) => ({ ...one, arguments: { ...one.arguments, ...ids?.arguments } })),
    )
  }
  if (first) throw first
}

const [listed, further] = splitFields(fieldsOf(routes.create), ['location', 'conference'])

const createProposal = operationTool({
  name: 'create_proposal',
  title: 'Propose a meeting',
  description: 'Asks agents to choose among slots. When all have answered, the event is made.',
  effect: 'creates',
  twins: [routes.create],
  arguments: { ...listed, calendar_id: z.string().optional(), timezone },
  alsoTaken: further,
  answer: { proposal: 'object' },
  async context(call) {
    const sent = call.arguments as ProposalArguments
    await refuseNames(call, sent)
    const calendar = await requireMeetingCalendar(call, sent.calendar_id, sent.organizer_agent_id)
    const further = sent.slots.flatMap(({ calendar_id }) => (typeof calendar_id === 'string' ? [calendar_id] : []))
    const { id, zones } = await zonesOfIds(call, calendar, further)
    return { calendar: id, zones }
  },
  input({ app, arguments: sent }, { calendar, zones }) {
    const { timezone: requestedZone, ...body } = sent as Json & { timezone?: string }
    const given = { ...body, calendar_id: calendar }
    return bodyTimesRead(routes.create, given, { requested: requestedZone, ofCalendars: zones }, app.clock.now())
  },
  request: (body) => ({ body }),
  // With its slots, whose ids an answer needs.
  show: async ({ body, call }) => ({
    proposal: await shownProposal(call, await read(call, (body as Proposal).id), askedZone(call)),
  }),
})

const askedZone = ({ arguments: { timezone } }: ToolCall): string | undefined => timezone as string | undefined

const respond = writeTool({
  name: 'respond_to_proposal',
  title: 'Answer a proposal',
  description: 'For one agent: accept a slot, decline, or counter with others. The last answer resolves it.',
  effect: 'creates',
  twins: [routes.respond],
  arguments: { proposal_id: z.string(), ...fieldsOf(routes.respond), agent_id: z.string().optional(), timezone },
  answer: { response: 'object', proposal: 'object' },
  async context(call) {
    const sent = call.arguments as Json & { proposal_id: string; agent_id?: string }
    const proposal = await read(call, sent.proposal_id)
    return { zone: await zoneOfRecord(call, proposal), agent: await requireParticipant(call, proposal, sent.agent_id) }
  },
  input({ app, arguments: sent }, { zone, agent }) {
    const { timezone: requestedZone, proposal_id, ...body } = sent as Json & { timezone?: string; proposal_id: string }
    const given = { ...body, agent_id: agent }
    const zones = { requested: requestedZone, ofCalendars: [zone] }
    return { proposal_id, body: bodyTimesRead(routes.respond, given, zones, app.clock.now()) }
  },
  async act(call, { proposal_id, body }, { zone }) {
    const change = callOperation<Json>(call, routes.respond, { params: { id: proposal_id }, body })
    const offering = async (error: unknown) => {
      throw await withChoices(call, await read(call, proposal_id), zone, error)
    }
    return { body: await change.catch(offering) }
  },
  async show({ body, context, call }) {
    const zone = askedZone(call) ?? context.zone
    const proposal = await read(call, String(call.arguments.proposal_id))
    return { response: await shownOf(call, body, zone), proposal: await shownProposal(call, proposal, zone) }
  },
})

/** Tools that end a proposal by its id alone. */
const ending = (route: Route) => ({
  effect: 'changes' as const,
  twins: [route] as const,
  arguments: { proposal_id: z.string() },
  context: async () => ({}),
  input: ({ arguments: sent }: { arguments: Json }) => ({ proposal_id: String(sent.proposal_id) }),
  request: ({ proposal_id }: { proposal_id: string }) => ({ params: { id: proposal_id } }),
})

type Resolution = { status: string; resolved_slot?: Json; reason?: string }

const resolveProposal = operationTool({
  ...ending(routes.resolve),
  name: 'resolve_proposal',
  title: 'Resolve a proposal',
  description: 'Takes the best slot of the answers so far and makes the event.',
  answer: { status: 'string', resolved_slot: 'object|null', event: 'object|null', reason: 'string?' },
  async show({ body, call }) {
    const { status, resolved_slot, reason } = body as Resolution
    if (!resolved_slot) return { status, resolved_slot: null, event: null, ...(reason !== undefined && { reason }) }
    const proposal = await read(call, String(call.arguments.proposal_id))
    const zone = await zoneOfRecord(call, resolved_slot)
    const now = call.app.clock.now()
    const event = await eventOf(call, proposal)
    return {
      status,
      resolved_slot: shownRecord(resolved_slot, { zone, now }),
      event: event ? shownEvent(event, eventZones(undefined, zone), now) : null,
    }
  },
})

/** Undefined after its deletion: a repeated call still gets its answer. */
const eventOf = async (call: ToolCall, { created_event_id: id }: Proposal): Promise<EventRecord | undefined> =>
  id === null ? undefined : askTwinIfThere<EventRecord>(call, routes.event, { params: { id } })

const cancelProposal = operationTool({
  ...ending(routes.cancel),
  name: 'cancel_proposal',
  title: 'Cancel a proposal',
  description: 'Only while it is pending.',
  answer: { proposal: 'object' },
  async show({ call }) {
    const proposal = await read(call, String(call.arguments.proposal_id))
    return { proposal: await shownProposal(call, proposal) }
  },
})

/** In the order in which they are listed. */
export const proposalTools = [
  createProposal,
  listingTool({
    name: 'list_proposals',
    title: 'List proposals',
    description: 'Newest first.',
    twin: 'listProposals',
    key: 'proposals',
    filters: {
      status: proposalListQuery.shape.status,
      organizer_agent_id: proposalListQuery.shape.organizer_agent_id,
    },
  }),
  readingTool({
    id: 'proposal_id',
    key: 'proposal',
    name: 'get_proposal',
    title: 'Read a proposal',
    description: 'With its slots and responses.',
    twin: 'getProposal',
  }),
  respond,
  resolveProposal,
  cancelProposal,
]
