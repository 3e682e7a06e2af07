// Agents, calendars, their rules and the feeds that they import.
import { z } from 'zod'
import { ServiceError } from '../../../src/errors.ts'
import { subscriptionListQuery } from '../../../src/imports/schema.ts'
import { askTwinIfThere, callOperation } from '../language/callOperation.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { operationTool, readTool } from '../language/tool.ts'
import { changingTool, contextOf, deletingTool, listingTool, paramsOf, readingTool, shownOf } from './operationTools.ts'

const ofAgent = { id: 'agent_id', key: 'agent' }
const ofCalendar = { id: 'calendar_id', key: 'calendar' }
const ofRules = { id: 'calendar_id', key: 'rules' }
const ofSubscription = { id: 'subscription_id', key: 'subscription' }

const getRules = routeNamed('getAvailabilityRules')

type Record = { [key: string]: unknown }

const getAvailabilityRules = readTool({
  name: 'get_availability_rules',
  title: 'Read availability rules',
  description: 'Working hours and buffers; null when there are none.',
  twins: [getRules],
  arguments: { calendar_id: z.string().optional() },
  answer: { rules: 'object|null' },
  async run(call) {
    const { id, zone } = await contextOf(call, 'calendar_id', call.arguments)
    try {
      const rules = await callOperation<Record>(call, getRules, { params: paramsOf(getRules, id) })
      return { rules: await shownOf(call, rules, zone) }
    } catch (error) {
      // A model would think that it made a mistake.
      if (error instanceof ServiceError && error.detail.noun === 'availability rules') return { rules: null }
      throw error
    }
  },
})

const sync = routeNamed('syncIcalSubscription')
const getSubscription = routeNamed('getIcalSubscription')

const syncIcalSubscription = operationTool({
  name: 'sync_ical_subscription',
  title: 'Read a feed now',
  description: 'Starts to read a feed anew.',
  effect: 'idempotent',
  isOpenWorld: true,
  twins: [sync],
  arguments: { subscription_id: z.string() },
  answer: { subscription: 'object', status: 'string' },
  context: async (call) => ({
    before: await callOperation<Record>(call, getSubscription, { params: { id: call.arguments.subscription_id } }),
  }),
  input: ({ arguments: sent }) => sent,
  request: ({ subscription_id }) => ({ params: { id: subscription_id } }),
  async show({ body, context: { before }, call }) {
    const id = String(call.arguments.subscription_id)
    const now = await askTwinIfThere<Record>(call, getSubscription, { params: { id } })
    return { subscription: await shownOf(call, now ?? before), status: (body as { status: string }).status }
  },
})

/** In the order in which they are listed. */
export const setupTools = [
  readingTool({ ...ofAgent, name: 'get_agent', title: 'Read an agent', description: 'One agent.', twin: 'getAgent' }),
  changingTool({
    ...ofAgent,
    name: 'update_agent',
    title: 'Change an agent',
    description: 'Keys of a paused agent only read.',
    effect: 'changes',
    twin: 'updateAgent',
  }),
  deletingTool({
    ...ofAgent,
    name: 'delete_agent',
    title: 'Decommission an agent',
    description: 'For good: its keys end, its calendars become read-only.',
    twin: 'decommissionAgent',
    read: 'getAgent',
  }),
  readingTool({
    ...ofCalendar,
    name: 'get_calendar',
    title: 'Read a calendar',
    description: 'One calendar, with the secret address of its feed.',
    twin: 'getCalendar',
  }),
  changingTool({
    ...ofCalendar,
    name: 'update_calendar',
    title: 'Change a calendar',
    description: 'Its name, zone, status of its agent or reminders.',
    effect: 'changes',
    twin: 'updateCalendar',
  }),
  deletingTool({
    ...ofCalendar,
    name: 'delete_calendar',
    title: 'Delete a calendar',
    description: 'With all its events.',
    twin: 'deleteCalendar',
    read: 'getCalendar',
  }),
  changingTool({
    ...ofRules,
    name: 'set_availability_rules',
    title: 'Set availability rules',
    description: 'Replaces working hours and buffers of a calendar.',
    effect: 'changes',
    twin: 'setAvailabilityRules',
    unlisted: [
      ...['dates', 'time_off', 'holiday_subscription_ids'],
      ...['max_meetings_per_day', 'max_busy_minutes_per_day'],
    ],
    keptBy: 'getAvailabilityRules',
  }),
  getAvailabilityRules,
  deletingTool({
    ...ofRules,
    name: 'clear_availability_rules',
    title: 'Remove availability rules',
    description: 'Afterwards every time can be free.',
    twin: 'removeAvailabilityRules',
    read: 'getAvailabilityRules',
  }),
  listingTool({
    id: 'agent_id',
    key: 'subscriptions',
    name: 'list_ical_subscriptions',
    title: 'List imported feeds',
    description: 'Feeds of an agent.',
    twin: 'listIcalSubscriptions',
    filters: { status: subscriptionListQuery.shape.status },
  }),
  readingTool({
    ...ofSubscription,
    name: 'get_ical_subscription',
    title: 'Read an imported feed',
    description: 'With its last error.',
    twin: 'getIcalSubscription',
  }),
  changingTool({
    ...ofSubscription,
    name: 'update_ical_subscription',
    title: 'Change an imported feed',
    description: 'Its label or address.',
    effect: 'changes',
    isOpenWorld: true,
    twin: 'updateIcalSubscription',
    unlisted: ['keep'],
  }),
  syncIcalSubscription,
  deletingTool({
    ...ofSubscription,
    name: 'delete_ical_subscription',
    title: 'Remove an imported feed',
    description: 'With the events that it brought.',
    twin: 'deleteIcalSubscription',
    read: 'getIcalSubscription',
  }),
]
