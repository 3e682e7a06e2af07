// One call of a tool: its tool, its permission, its run and its result.
import type { Response } from 'express'
import type { Actor, RequestContext } from '../../../src/actors/actor.ts'
import { outsideViewOf } from '../../../src/actors/outsideText.ts'
import type { App } from '../../../src/app.ts'
import { shownTo } from '../../../src/outsideText/show.ts'
import type { Admission } from '../../gate/gate.ts'
import { asServiceError, countRefusal, logFailure, setRetryAfter } from '../../http/errors.ts'
import { successResult, type ToolResult, textOf } from '../language/answer.ts'
import { readArguments } from '../language/arguments.ts'
import { errorResult, type Repair } from '../language/errors.ts'
import { isObject } from '../language/jsonSchema.ts'
import { withNamedId } from '../language/namedIds.ts'
import { answerOf } from '../language/parts.ts'
import { repairOf } from '../language/repair.ts'
import type { Tool } from '../language/tool.ts'
import { runWriting } from '../language/writing.ts'

/** A tool call. `sent`: the arguments as the model wrote them. */
export type ResolvedCall = { tool: Tool; sent: Record<string, unknown>; hasKey: boolean }

/** Undefined if the address has no such tool, or the arguments are no object: the protocol refuses both. */
export function resolveCall(selection: readonly Tool[], params: Record<string, unknown>): ResolvedCall | undefined {
  const tool = selection.find(({ name }) => name === params.name)
  const { arguments: sent = {} } = params
  if (!tool || !isObject(sent)) return undefined
  return { tool, sent, hasKey: tool.takesKey && typeof sent.idempotency_key === 'string' }
}

type McpRequest = { app: App; res: Response; request: RequestContext }

/** Never throws: an error is a result that the model reads. */
export async function runTool(
  mcpRequest: McpRequest,
  resolved: ResolvedCall,
  admission: Admission,
): Promise<ToolResult> {
  const { app, request } = mcpRequest
  const { tool, sent } = resolved
  try {
    const { idempotency_key: key, ...args } = readArguments(tool, sent)
    const call = { app, actor: admission.actor, arguments: args }
    const { answer, isReplayed } =
      tool.kind !== 'read' && tool.takesKey
        ? await runWriting(tool, { call, request, admission, key })
        : { answer: await answerOf(tool, call), isReplayed: false }
    app.metrics.mcpCalls.inc({ tool: tool.name, outcome: isReplayed ? 'replayed' : 'ok' })
    return successResult(await shownTo(app, admission.actor, answer, sent.event_id), request.id)
  } catch (error) {
    admission.refund(error)
    const { actor } = admission
    const refusal = await withNamedId({ app, actor }, resolved, error)
    const repair = await repairOf({ app, actor }, resolved, asServiceError(refusal))
    return shownResult(app, actor, failedResult(mcpRequest, resolved, refusal, { actor, repair }))
  }
}

/** An error may name events. */
async function shownResult(app: App, actor: Actor, result: ToolResult): Promise<ToolResult> {
  if (outsideViewOf(actor) === undefined) return result
  const [{ text } = { text: '{}' }] = result.content
  return { ...result, content: [{ type: 'text', text: textOf(await shownTo(app, actor, JSON.parse(text))) }] }
}

type Admitted = { actor: Actor; repair: Repair }

/** The result of a call that the gate refused, or that failed. */
export function failedResult(
  { app, res, request }: McpRequest,
  { tool, sent, hasKey }: ResolvedCall,
  error: unknown,
  { actor, repair }: Partial<Admitted> = {},
): ToolResult {
  const known = asServiceError(error)
  const isOurs = known.type === 'internal_error'
  app.metrics.mcpCalls.inc({ tool: tool.name, outcome: isOurs ? 'failed' : 'refused' })
  countRefusal(app, res, known)
  logFailure(app, res, error)
  setRetryAfter(res, known)
  return errorResult(known, { tool, sent, requestId: request.id, hasKey, actor, repair })
}
