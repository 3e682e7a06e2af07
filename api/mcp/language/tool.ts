// A tool is a value, like a route. It names its twins, the routes that do the same: who may call it, the plan it needs and
// what it spends come from the first of them, so the gate decides as for that route. A complete one:
//
//   export const listAgents = readTool({
//     name: 'list_agents',
//     title: 'List agents',
//     description: 'Agents of the organization, newest first.',
//     twins: [agentRoute('listAgents'), …],
//     arguments: { type: agentListQuery.shape.type, …page },          // the schemas of the twin: no bound is written twice
//     answer: { agents: 'array', total: 'integer', next_offset: 'integer?' },
//     run: async (call) => {
//       const { data, total } = await callOperation<AgentList>(call, twin, { query: call.arguments })
//       return { agents: data.map(…), total }
//     },
//   })
//
// It joins the table in toolTable.ts. `run` throws `ServiceError`; errors.ts shows it to the model.
//
// There are three kinds of tools. A `read` runs at once. A `write` has parts, so that a repeated call gets its first answer
// (writing.ts). An `operation` is one route, which its parts ask and whose record they show; it reads or writes.
import { z } from 'zod'
import type { Actor } from '../../../src/actors/actor.ts'
import type { App } from '../../../src/app.ts'
import type { Feature } from '../../../src/plans/plans.ts'
import type { Route } from '../../http/route.ts'
import { jsonSchemaOf } from './jsonSchema.ts'

/** A call: its arguments are checked, and its actor was admitted. */
export type ToolCall<A = Record<string, unknown>> = { app: App; actor: Actor; arguments: A }

/** `creates` adds; `changes` may destroy; `idempotent` changes nothing the second time, and deletes nothing. */
export type WritingEffect = 'creates' | 'changes' | 'idempotent'
type Effect = 'reads' | WritingEffect

type JsonType = 'array' | 'object' | 'string' | 'integer' | 'boolean' | 'object|null'
/** With `?` the key may be absent. */
type AnswerKeys = Record<string, JsonType | `${JsonType}?`>

export type Description<A extends z.ZodRawShape, T extends z.ZodRawShape> = {
  name: string
  title: string
  description: string
  /** Sends requests to other hosts, such as to a feed or a webhook. */
  isOpenWorld?: true
  /** The gate uses the first one: of several, the one with the fewest requirements. */
  twins: readonly [Route, ...Route[]]
  /** Plans without it neither see the tool nor may call it; for a tool whose twin refuses such plans only in some cases. */
  feature?: Feature
  arguments: A
  /** Taken, but not listed: further names, and ids that are only compared. */
  alsoTaken?: T
  /** Different names: those of the twin, and those of the arguments. */
  renamed?: Readonly<Record<string, string>>
  answer: AnswerKeys
}

type Reading<Args> = { run(call: ToolCall<Args>): Promise<object> }

/** The outcome of a write: the body of the twin's answer, and further results of its use case. */
type Done<Body> = { body: Body; extras?: unknown }

/** The outcome of a call, from which its answer is made. `context`, `body` and `extras` are stored: JSON. */
type Shown<Body, Context> = Done<Body> & { context: Context; call: ToolCall }

type Parts<Args, Context, Input, Body> = {
  /**
   * Reads the context of the arguments: ids that are left out, zones, the record before the change. It is stored with the answer,
   * because a repeated call may come after that has changed.
   */
  context(call: ToolCall<Args>): Promise<Context>
  /** The request, independent of its spelling: two calls with one key must agree in it. Pure; may refuse the arguments. */
  input(call: ToolCall<Args>, context: Context): Input
  show(shown: Shown<Body, Context>): object | Promise<object>
}

type Writing<Args, Context, Input, Body> = Parts<Args, Context, Input, Body> & {
  /** May add to the context. */
  act(call: ToolCall<Args>, input: Input, context: Context): Promise<Done<Body>>
}

/** The input of a route. The values of a query are texts, as in an address; undefined ones are left out. */
export type OperationInput = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

type Operation<Args, Context, Input> = Parts<Args, Context, Input, unknown> & {
  /** The input for the first twin. */
  request(input: Input, context: Context, call: ToolCall<Args>): OperationInput | Promise<OperationInput>
}

type Described = Description<z.ZodRawShape, z.ZodRawShape> & {
  effect: Effect
  /** Takes `idempotency_key`: it changes something. */
  takesKey: boolean
  /** Of all arguments. */
  schema: z.ZodObject
  /** Of those that models see. */
  listedSchema: z.ZodObject
}

// biome-ignore-start lint/suspicious/noExplicitAny: each tool knows its own
type ReadTool = Described & { kind: 'read' } & Reading<any>
type WriteTool = Described & { kind: 'write' } & AnyWriting
type OperationTool = Described & { kind: 'operation' } & Operation<any, any, any>
export type AnyWriting = Writing<any, any, any, any>
// biome-ignore-end lint/suspicious/noExplicitAny: each tool knows its own

/** A tool that is run by its parts. */
export type ToolOfParts = WriteTool | OperationTool
export type Tool = ReadTool | ToolOfParts

type ArgumentsOf<A extends z.ZodRawShape, T extends z.ZodRawShape> = z.infer<z.ZodObject<A & T>>
// biome-ignore lint/complexity/noBannedTypes: no further argument
type NoFields = {}

export const readTool = <A extends z.ZodRawShape, T extends z.ZodRawShape = NoFields>(
  definition: Description<A, T> & Reading<ArgumentsOf<A, T>>,
): Tool => ({ kind: 'read', ...definition, effect: 'reads', ...schemasOf(definition, false) })

export const writeTool = <
  A extends z.ZodRawShape,
  Context extends object,
  Input extends object,
  Body,
  T extends z.ZodRawShape = NoFields,
>(
  definition: Description<A, T> & { effect: WritingEffect } & Writing<ArgumentsOf<A, T>, Context, Input, Body>,
): Tool => ({ kind: 'write', ...definition, ...schemasOf(definition, true) })

export const operationTool = <
  A extends z.ZodRawShape,
  Context extends object,
  Input extends object,
  T extends z.ZodRawShape = NoFields,
>(
  definition: Description<A, T> & { effect: Effect } & Operation<ArgumentsOf<A, T>, Context, Input>,
): Tool => ({ kind: 'operation', ...definition, ...schemasOf(definition, definition.effect !== 'reads') })

/** Every tool that changes something takes it. It is not part of the request. */
const idempotencyKey = z.string().optional()

type Fields = { arguments: z.ZodRawShape; alsoTaken?: z.ZodRawShape }

function schemasOf(definition: Fields, takesKey: boolean): Pick<Tool, 'takesKey' | 'schema' | 'listedSchema'> {
  const listed = takesKey ? { ...definition.arguments, idempotency_key: idempotencyKey } : definition.arguments
  return {
    takesKey,
    schema: z.strictObject({ ...listed, ...definition.alsoTaken }),
    listedSchema: z.strictObject(listed),
  }
}

/** The same tool, which takes and lists further arguments. */
export const withArguments = (base: Tool, more: z.ZodRawShape): Tool => ({
  ...base,
  arguments: { ...base.arguments, ...more },
  schema: base.schema.extend(more),
  listedSchema: base.listedSchema.extend(more),
})

/** Only those that differ from the protocol's defaults, for the sake of tokens. */
const annotationsOf = ({ effect, isOpenWorld }: Tool) => ({
  ...(effect === 'reads' && { readOnlyHint: true }),
  ...(effect !== 'reads' && effect !== 'changes' && { destructiveHint: false }),
  ...((effect === 'changes' || effect === 'idempotent') && { idempotentHint: true }),
  ...(!isOpenWorld && { openWorldHint: false }),
})

function outputSchemaOf({ answer }: Tool) {
  const keys = Object.entries(answer).map(([name, text]) => {
    const types = text.replace('?', '').split('|')
    return { name, isRequired: !text.endsWith('?'), type: types.length > 1 ? types : types[0] }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map(({ name, type }) => [name, { type }])),
    required: keys.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

const listed = new WeakMap<Tool, ListedTool>()

/** The tool as `tools/list` shows it, made once per process. */
export function listedTool(tool: Tool): ListedTool {
  const known = listed.get(tool) ?? describe(tool)
  listed.set(tool, known)
  return known
}

/** For a key whose changes may wait for an approval, which is then the whole answer. */
export function listedForApproval(tool: Tool): object {
  const listing = listedTool(tool)
  if (!tool.takesKey) return listing
  const { required: _, ...outputSchema } = listing.outputSchema
  return { ...listing, outputSchema }
}

const describe = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: jsonSchemaOf(tool.listedSchema),
  outputSchema: outputSchemaOf(tool),
  annotations: annotationsOf(tool),
})

type ListedTool = ReturnType<typeof describe>
