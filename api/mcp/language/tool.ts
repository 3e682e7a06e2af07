// A tool is a value, like a route. It names its twins, the routes that do the same: who may call it, the plan it needs and
// what it spends come from the first of them, so the gate decides as for that route. A complete one:
//
//   export const listAgents = tool({
//     name: 'list_agents',
//     title: 'List agents',
//     description: 'Agents of the organization, newest first.',
//     effect: 'reads',
//     twins: [agentRoute('listAgents'), …],
//     arguments: { type: agentListQuery.shape.type, …page },          // the schemas of the twin: no bound is written twice
//     answer: { agents: 'array', total: 'integer', next_offset: 'integer?' },
//     run: async (call) => {
//       const { data, total } = await callOperation<AgentList>(call, twin, { query: call.arguments })
//       return { agents: data.map(…), total }
//     },
//   })
//
// It joins the table in tools.ts. `run` throws `ServiceError`; errors.ts shows it to the model.
import { z } from 'zod'
import type { Actor } from '../../../src/actors/actor.ts'
import type { App } from '../../../src/app.ts'
import type { Feature } from '../../../src/plans/plans.ts'
import type { Route } from '../../http/route.ts'
import { jsonSchemaOf } from './jsonSchema.ts'
import type { AnyWriting } from './writing.ts'

/** A call: its arguments are checked, and its actor was admitted. */
export type ToolCall<A = Record<string, unknown>> = { app: App; actor: Actor; arguments: A }

/** `reads` changes nothing; `creates` adds; `changes` may destroy; `idempotent` changes nothing the second time, and deletes nothing. */
type Effect = 'reads' | 'creates' | 'changes' | 'idempotent'

type JsonType = 'array' | 'object' | 'string' | 'integer' | 'boolean' | 'object|null'
/** With `?` the key may be absent. */
type AnswerKeys = Record<string, JsonType | `${JsonType}?`>

export type Definition<A extends z.ZodRawShape, T extends z.ZodRawShape> = {
  name: string
  title: string
  description: string
  effect: Effect
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
  run(call: ToolCall<z.infer<z.ZodObject<A & T>>>): Promise<object>
}

export type Tool = Omit<Definition<z.ZodRawShape, z.ZodRawShape>, 'run'> & {
  /** Takes `idempotency_key`. */
  takesKey: boolean
  /** Of all arguments. */
  schema: z.ZodObject
  /** Of those that models see. */
  listedSchema: z.ZodObject
  run(call: ToolCall): Promise<object>
  /** How it is run, if it changes something. */
  writing?: AnyWriting
}

/** Every tool that changes something takes it. It is not part of the request. */
const idempotencyKey = z.string().optional()

// biome-ignore lint/complexity/noBannedTypes: no further argument
export function tool<A extends z.ZodRawShape, T extends z.ZodRawShape = {}>(definition: Definition<A, T>): Tool {
  const takesKey = definition.effect !== 'reads'
  const listed = takesKey ? { ...definition.arguments, idempotency_key: idempotencyKey } : definition.arguments
  return {
    ...definition,
    takesKey,
    schema: z.strictObject({ ...listed, ...definition.alsoTaken }),
    listedSchema: z.strictObject(listed),
    run: definition.run as unknown as Tool['run'],
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
  if (!tool.writing) return listing
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
