// Tools that are their twin: the ids of its path and the fields of its body are their arguments, and its record is their answer.
import { z } from 'zod'
import { zoneOfCalendar } from '../../../src/calendars/calendars.ts'
import { encodeId } from '../../../src/shapes/ids.ts'
import type { List } from '../../../src/shapes/lists.ts'
import type { Route } from '../../http/route.ts'
import { listAnswer } from '../language/answer.ts'
import { askTwinIfThere, callOperation } from '../language/callOperation.ts'
import type { Clock } from '../language/clock.ts'
import { fieldsOf, splitFields } from '../language/operationFields.ts'
import { page, pageKeys } from '../language/paging.ts'
import { shownRecord } from '../language/records.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { requireAgentOf, requireCalendarOf } from '../language/subjects.ts'
import { type Description, operationTool, type Tool, type ToolCall, type WritingEffect } from '../language/tool.ts'

type Json = Record<string, unknown>
type Call = Pick<ToolCall, 'app' | 'actor'>

type Common = Pick<Description<z.ZodRawShape, z.ZodRawShape>, 'name' | 'title' | 'description' | 'isOpenWorld'> & {
  /** The `operationId` of its twin. */
  twin: string
  /** The argument that is the id in the twin's path. An agent or calendar may be left out if there is only one. */
  id?: string
  /** The key of its record in the answer. */
  key: string
}

/** The zone of the answer. */
type Context = { id?: string; zone: string }

const isChoice = (id: string): boolean => id === 'agent_id' || id === 'calendar_id'

const idArgument = (id: string | undefined): z.ZodRawShape =>
  id ? { [id]: isChoice(id) ? z.string().optional() : z.string() } : {}

/** The name of the id in the path of a route. */
const pathName = ({ params }: Route): string => Object.keys((params as z.ZodObject).shape)[0]!

export const paramsOf = (route: Route, id: string | undefined): Record<string, string> =>
  id === undefined ? {} : { [pathName(route)]: id }

/** The id that is meant, and the zone of its calendar. */
export async function contextOf(call: Call, id: string | undefined, sent: Json): Promise<Context> {
  const given = id && (sent[id] as string | undefined)
  if (id === 'calendar_id') {
    const calendar = await requireCalendarOf(call, given)
    return { id: encodeId('cal', calendar.id), zone: calendar.timezone }
  }
  if (id === 'agent_id') return { id: (await requireAgentOf(call, given)).shown, zone: 'UTC' }
  return { ...(given !== undefined && { id: given }), zone: 'UTC' }
}

/** A calendar or a booking page has a zone of its own, and some records name their calendar. */
export async function zoneOfRecord({ app, actor }: Call, record: Json, usual = 'UTC'): Promise<string> {
  if (typeof record.timezone === 'string') return record.timezone
  const { calendar_id } = record
  return (typeof calendar_id === 'string' && (await zoneOfCalendar(app, actor, calendar_id))) || usual
}

const clockAt = ({ app }: Call, zone: string): Clock => ({ zone, now: app.clock.now() })

export async function shownOf(call: Call, record: Json, usual?: string): Promise<Json> {
  return shownRecord(record, clockAt(call, await zoneOfRecord(call, record, usual)))
}

export function readingTool({ twin, id, key, ...rest }: Common): Tool {
  const route = routeNamed(twin)
  return operationTool({
    ...rest,
    effect: 'reads',
    twins: [route],
    arguments: idArgument(id),
    answer: { [key]: 'object' },
    context: (call) => contextOf(call, id, call.arguments),
    input: ({ arguments: sent }) => sent,
    request: (_, context) => ({ params: paramsOf(route, context.id) }),
    show: async ({ body, context, call }) => ({ [key]: await shownOf(call, body as Json, context.zone) }),
  })
}

type Page = { limit: number; offset: number }

type Listing = Common & {
  /** Of the query. */
  filters?: z.ZodRawShape
  /** Further fields of the twin's answer, next to the list. */
  moreAnswer?: Description<z.ZodRawShape, z.ZodRawShape>['answer']
}

export function listingTool({ twin, id, key, filters = {}, moreAnswer = {}, ...rest }: Listing): Tool {
  const route = routeNamed(twin)
  return operationTool({
    ...rest,
    effect: 'reads',
    twins: [route],
    arguments: { ...idArgument(id), ...filters, ...page },
    answer: { [key]: 'array', ...pageKeys, ...moreAnswer },
    context: (call) => contextOf(call, id, call.arguments as Json),
    input: ({ arguments: sent }) => sent as Json & Page,
    request({ limit, offset, ...sent }, context) {
      const query = Object.fromEntries(Object.keys(filters).map((name) => [name, sent[name]]))
      return { params: paramsOf(route, context.id), query: { ...query, limit, offset } }
    },
    async show({ body, context, call }) {
      const { data, total, ...others } = body as List<Json> & Json
      const { offset } = call.arguments as Page
      const items = await Promise.all(data.map((record) => shownOf(call, record, context.zone)))
      const further = Object.fromEntries(Object.keys(moreAnswer).map((name) => [name, others[name]]))
      return listAnswer(key, { items, total, offset }, further)
    },
  })
}

type Changing = Common & {
  effect: WritingEffect
  /** The field of the body that may be left out if there is only one. */
  choice?: 'agent_id' | 'calendar_id'
  /** Without the descriptions of the fields, which cost tokens, like tools that change something. */
  isBrief?: true
  /** Fields of the body that the tool does not take. */
  without?: readonly string[]
  /** Parts of the JSON Schema of a field, where its own would make the list of tools too long. */
  forms?: Record<string, object>
  /** Fields of the body that are accepted but not listed, because the list of tools must be small. */
  unlisted?: readonly string[]
  /** The `operationId` that reads the record, if its unlisted fields stay when they are left out: a model does not know them. */
  keptBy?: string
}

export function changingTool({
  isBrief,
  twin,
  id,
  key,
  choice,
  without = [],
  forms = {},
  unlisted = [],
  keptBy,
  ...rest
}: Changing): Tool {
  const route = routeNamed(twin)
  const allFields = route.body ? fieldsOf(route, isBrief ?? rest.effect === 'changes') : {}
  const bodyFields = Object.fromEntries(
    Object.entries(allFields as Record<string, z.ZodType>).flatMap(([name, field]) => {
      if (without.includes(name)) return []
      return [[name, forms[name] ? field.meta({ override: forms[name] }) : field]]
    }),
  )
  const [listed, further] = splitFields(bodyFields, unlisted)
  const named = choice ?? id
  return operationTool({
    ...rest,
    twins: [route],
    arguments: { ...listed, ...idArgument(named) },
    alsoTaken: further,
    answer: { [key]: 'object' },
    context: (call) => contextOf(call, named, call.arguments as Json),
    input: ({ arguments: sent }, context: Context): Json => (named ? { ...sent, [named]: context.id } : { ...sent }),
    async request(input, context, call) {
      const body = Object.fromEntries(Object.keys(bodyFields).map((name) => [name, input[name]]))
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
      const params = id ? paramsOf(route, context.id) : {}
      const before = keptBy ? await askTwinIfThere<Json>(call, routeNamed(keptBy), { params }) : undefined
      const kept = Object.entries(before ?? {}).filter(([name]) => unlisted.includes(name))
      const whole = { ...Object.fromEntries(kept), ...given }
      return { params, body: whole }
    },
    show: async ({ body, context, call }) => ({ [key]: await shownOf(call, body as Json, context.zone) }),
  })
}

/** Answers with the record before the change, which `read` finds. */
export function deletingTool({ twin, read, id, key, ...rest }: Common & { id: string; read: string }): Tool {
  const [route, reading] = [routeNamed(twin), routeNamed(read)]
  return operationTool({
    ...rest,
    effect: 'changes',
    twins: [route],
    arguments: idArgument(id),
    answer: { deleted: 'boolean', [key]: 'object' },
    async context(call) {
      const context = await contextOf(call, id, call.arguments as Json)
      const before = await callOperation<Json>(call, reading, { params: paramsOf(reading, context.id) })
      return { ...context, before }
    },
    input: (_, context: Context & { before: Json }): Json => ({ [id]: context.id }),
    request: (_, context) => ({ params: paramsOf(route, context.id) }),
    show: async ({ context, call }) => ({ deleted: true, [key]: await shownOf(call, context.before, context.zone) }),
  })
}
