// The next step of a model after an error: one sentence that names the tool or the argument to use.
import type { Actor } from '../../../src/actors/actor.ts'
import type { ServiceError } from '../../../src/errors.ts'
import type { ErrorCode, ErrorType } from '../../../src/shapes/errorTypes.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import type { Tool } from './tool.ts'

type FailedCall = {
  tool: Tool
  /** It only reads, or came with an idempotency key: repeating it does nothing twice. */
  isRepeatable: boolean
  /** Set if the gate admitted the call. */
  actor: Actor | undefined
  hasSuggestions: boolean
  param: string | undefined
}

/** The list tool for the ids of each noun. */
const listTools: Record<string, string> = {
  calendar: 'list_calendars',
  event: 'list_events',
  agent: 'list_agents',
  proposal: 'list_proposals',
  slot: 'get_proposal',
  'hold group': 'list_hold_groups',
  'booking page': 'list_booking_pages',
  'iCal subscription': 'list_ical_subscriptions',
  webhook: 'list_webhooks',
  key: 'list_scoped_keys',
}

/** The list tool for the subject of a tool, by its name: `create_webhook`. Rules belong to calendars. */
function listToolOf({ name }: Tool): string {
  const noun = Object.keys(listTools).find((one) => name.includes(one.split(' ').at(-1)!))
  return listTools[noun ?? 'calendar']!
}

const isOfGroup = ({ name }: Tool): boolean => name.includes('hold_group')

const ofCode: Partial<Record<ErrorCode, (call: FailedCall) => string>> = {
  external_event_readonly: () => 'Change it where it was made: events of an imported feed are read-only here.',
  guardrail: () => 'The organization limits this key: choose what it allows, or ask a person.',
  hold_expired: ({ tool }) => `The hold is gone: call ${isOfGroup(tool) ? 'create_hold_group' : 'create_event'} again.`,
  not_a_hold: ({ tool }) =>
    isOfGroup(tool)
      ? 'Read it with get_hold_group; if it holds nothing any more, call create_hold_group again.'
      : 'Read it with get_event; if its hold is gone, call create_event again.',
  hold_in_group: () => 'Use confirm_hold_group or release_hold_group (profile coordination) with its hold_group_id.',
  agent_decommissioned: () => 'Use a calendar of another agent: list_agents shows which are active.',
  duplicate_response: () => 'Read the proposal with get_proposal; this agent has responded already.',
  hold_conflict: ({ hasSuggestions }) =>
    hasSuggestions
      ? 'Offer one of the suggestions, or call again with a higher hold_priority.'
      : 'Choose another time with get_availability, or call again with a higher hold_priority.',
  not_free: () => 'Choose another time with get_availability.',
  not_deleted: () => 'The event is there: read it with get_event.',
  not_restorable: () => 'Make a new one with create_event.',
}

const ofType: Record<ErrorType, (call: FailedCall, error: ServiceError) => string> = {
  validation_error: correct,
  bad_request: correct,
  validation: correct,
  invalid_transition: () =>
    'Confirm the hold with confirm_event, or give it up with release_event; to move it, release it and call create_event again.',
  authentication_error: () => 'Ask a person for a valid key.',
  forbidden,
  plan_required: () => 'A person must upgrade the plan; do not retry.',
  account_waitlisted: () => 'A person must wait until the organization is activated; do not retry.',
  not_found: ({ hasSuggestions, param = 'the id' }, { detail }) => {
    if (detail.noun === 'availability rules') return 'The calendar has none: set_availability_rules makes them.'
    const list = listTools[detail.noun ?? '']
    if (!hasSuggestions) return list ? `Find the id with ${list}.` : 'Check the id.'
    return `Give ${param} as an id: merge suggestions[0].arguments${list ? `, or find it with ${list}` : ''}.`
  },
  conflict: (call) => {
    if (call.hasSuggestions) return correct(call)
    if (call.tool.name.includes('proposal')) return 'Read the proposal with get_proposal.'
    return `Read the current state with ${listToolOf(call.tool)}, then decide again.`
  },
  email_taken: () => 'Ask a person.',
  tos_version_stale: () => 'A person must accept the current terms.',
  cursor_gone: () => 'Take resync.cursor, list everything, then follow that cursor.',
  precondition_failed: () => 'Read the record again, then decide again.',
  idempotency_key_reused: () =>
    'Use a new idempotency_key for a new intention, or the same arguments for the same one.',
  rate_limit_error: () => 'Wait retry_after_seconds, then repeat the call unchanged.',
  rate_limited: () => 'Wait retry_after_seconds, then repeat the call unchanged.',
  quota_exceeded: (_, { detail: { retryAfterSeconds } }) =>
    retryAfterSeconds === undefined
      ? 'The plan allows no more: get_usage shows what is used.'
      : `The plan allows no more for ${daysOf(retryAfterSeconds)}: get_usage shows what is used.`,
  internal_error: ({ isRepeatable, tool }) => {
    if (isRepeatable) return tool.takesKey ? 'Repeat it with the same idempotency_key.' : 'Repeat the call.'
    return 'Look first whether it happened (list_events, get_event), then decide.'
  },
}

function forbidden({ tool, actor }: FailedCall): string {
  if (actor?.agentId) {
    return `This key is for agent ${encodeId('agt', actor.agentId)} alone: use its calendars (list_calendars), or an organization key.`
  }
  if (actor) return 'Use what list_agents and list_calendars show.'
  return tool.twins[0].access === 'organization'
    ? 'An organization key is needed: a key of an agent cannot use this tool.'
    : 'The agent is paused: only reading tools work until a person sets it to active.'
}

function correct({ tool, hasSuggestions, param }: FailedCall): string {
  const what = param === undefined ? 'the arguments' : param
  return hasSuggestions
    ? `Correct ${what}: merge the arguments of a suggestion and call ${tool.name} again.`
    : `Correct ${what} and call ${tool.name} again.`
}

const daysOf = (seconds: number): string =>
  seconds < 2 * 86_400 ? `${Math.ceil(seconds / 3600)} hours` : `${Math.ceil(seconds / 86_400)} days`

export function nextStepOf(error: ServiceError, call: FailedCall): string {
  const { code } = error.detail
  return (code && ofCode[code]?.(call)) ?? ofType[error.type](call, error)
}
