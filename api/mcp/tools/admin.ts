// Keys of agents, usage, the audit log, and feedback to the operator.
import { z } from 'zod'
import { auditLogQuery } from '../../../src/audit/schema.ts'
import { notFound } from '../../../src/errors.ts'
import { fitting, listAnswer } from '../language/answer.ts'
import { callOperation } from '../language/callOperation.ts'
import { fieldsOf } from '../language/operationFields.ts'
import { page, pageKeys } from '../language/paging.ts'
import { shownRecord } from '../language/records.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { readLast, readStart } from '../language/times.ts'
import { operationTool, readTool } from '../language/tool.ts'
import { timezone } from './eventFields.ts'
import { changingTool, readingTool, shownOf } from './operationTools.ts'

type Json = Record<string, unknown>
type Keys = { keys: (Json & { id: string })[] }

const [listKeys, revoke, log, feedback] = [
  routeNamed('listAgentKeys'),
  routeNamed('revokeAgentKey'),
  routeNamed('readAuditLog'),
  routeNamed('giveFeedback'),
]

const listScopedKeys = readTool({
  name: 'list_scoped_keys',
  title: 'List keys of agents',
  description: 'Without their secrets.',
  twins: [listKeys],
  arguments: page,
  answer: { keys: 'array', ...pageKeys },
  async run(call) {
    const { limit, offset } = call.arguments
    const { keys } = await callOperation<Keys>(call, listKeys, {})
    const items = await Promise.all(keys.slice(offset, offset + limit).map((key) => shownOf(call, key)))
    return listAnswer('keys', { items, total: keys.length, offset })
  },
})

const revokeScopedKey = operationTool({
  name: 'revoke_scoped_key',
  title: 'Revoke a key',
  description: 'It ends at once.',
  effect: 'changes',
  twins: [revoke],
  arguments: { key_id: z.string() },
  answer: { deleted: 'boolean', key: 'object' },
  async context(call) {
    const { keys } = await callOperation<Keys>(call, listKeys, {})
    const before = keys.find(({ id }) => id === call.arguments.key_id)
    if (!before) throw notFound('key', null, call.arguments.key_id)
    return { before }
  },
  input: ({ arguments: sent }) => sent,
  request: ({ key_id }) => ({ params: { id: key_id } }),
  show: async ({ context, call }) => ({ deleted: true, key: await shownOf(call, context.before) }),
})

type Log = {
  data: Json[]
  pagination: { next_cursor: string | null }
  retention_days: number | null
  range_clamped: boolean
}

const { action, actor_key_prefix, cursor } = auditLogQuery.shape

const getAuditLog = readTool({
  name: 'get_audit_log',
  title: 'Read the audit log',
  description: 'Recorded actions, newest first.',
  twins: [log],
  arguments: {
    from: z.string().optional(),
    to: z.string().optional(),
    timezone,
    action,
    actor_key_prefix,
    cursor,
    limit: page.limit,
  },
  answer: { entries: 'array', cursor: 'string?', retention_days: 'integer?', range_clamped: 'boolean' },
  async run(call) {
    const { timezone: requestedZone, from, to, ...rest } = call.arguments
    const now = call.app.clock.now()
    const zones = { requested: requestedZone, ofCalendars: [] }
    const query = {
      ...rest,
      from: from && readStart(from, { param: 'from', zones, now }).toISOString(),
      to: to && readLast(to, { param: 'to', zones, now }).toISOString(),
    }
    const clock = { zone: requestedZone ?? 'UTC', now }
    const read = async (limit: number): Promise<Log & { entries: Json[] }> => {
      const answer = await callOperation<Log>(call, log, { query: { ...query, limit } })
      const entries = answer.data.map((entry) => shownRecord(entry, clock))
      // The cursor stands after the last entry, so a shorter page is read anew.
      const shown = Math.max(1, fitting(entries, {}).length)
      return shown < entries.length ? read(shown) : { ...answer, entries }
    }
    const { entries, pagination, retention_days, range_clamped } = await read(rest.limit)
    return {
      entries,
      ...(pagination.next_cursor !== null && { cursor: pagination.next_cursor }),
      ...(retention_days !== null && { retention_days }),
      range_clamped,
    }
  },
})

const submitFeedback = operationTool({
  name: 'submit_feedback',
  title: 'Send feedback',
  description: 'To the people who run this service.',
  effect: 'creates',
  twins: [feedback],
  arguments: fieldsOf(feedback),
  answer: { status: 'string' },
  context: async () => ({}),
  input: ({ arguments: sent }): Json => sent,
  request: (body) => ({ body }),
  show: ({ body }) => ({ status: (body as { status: string }).status }),
})

/** In the order in which they are listed. */
export const adminTools = [
  changingTool({
    name: 'create_scoped_key',
    title: 'Create a key for an agent',
    description: 'Reaches this agent alone. The answer holds a secret: hand it on, do not repeat it.',
    effect: 'creates',
    twin: 'createAgentKey',
    key: 'key',
    choice: 'agent_id',
    unlisted: ['guardrails'],
  }),
  listScopedKeys,
  revokeScopedKey,
  readingTool({
    name: 'get_usage',
    title: 'Read usage',
    description: 'Of the month and the plan.',
    twin: 'getUsage',
    key: 'usage',
  }),
  getAuditLog,
  submitFeedback,
]
