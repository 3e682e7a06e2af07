// A tool that changes something. Its call is split into its context, the request, the write and the answer,
// so that a repeated call with its key gets its first answer again, and nothing is written.
import type { RequestContext } from '../../../src/actors/actor.ts'
import { requireWriter } from '../../../src/actors/guardrails.ts'
import { fingerprintOf, readKey, responseIdOf } from '../../../src/storedResponses/key.ts'
import { runOnce, StoredResponse } from '../../../src/storedResponses/runOnce.ts'
import type { Admission } from '../../gate/gate.ts'
import { heldBackAction, holdBack, subjectIdsOf } from '../../gate/heldBack.ts'
import type { Route } from '../../http/route.ts'
import { isInBody } from './operationFields.ts'
import { partsOf } from './parts.ts'
import { toStoredCall } from './storedCall.ts'
import type { ToolCall, ToolOfParts } from './tool.ts'

/** The stored part of a call: JSON. */
type Kept = {
  body: unknown
  extras?: unknown
  context: unknown
  /** It waits for an approval, which is the body. */
  isHeldBack?: true
}

type ToolRequest = {
  call: ToolCall
  request: RequestContext
  admission: Pick<Admission, 'refund' | 'spendBudget'>
  key: unknown
}

/** `key`: of the caller, if it sent one. */
export async function runWriting(
  tool: ToolOfParts,
  { call, request, admission, key }: ToolRequest,
): Promise<{ answer: object; isReplayed: boolean }> {
  const { app, actor } = call
  const { name, twins } = tool
  const [twin] = twins
  const writing = partsOf(tool)
  const scope = actor.agentId ?? actor.orgId
  const id = key === undefined ? undefined : responseIdOf(scope, readKey([String(key)]))
  const fingerprint = (input: unknown) => fingerprintOf({ ...asRequest(name), body: JSON.parse(JSON.stringify(input)) })
  const work = async (): Promise<Kept> => {
    const context = await writing.context(call)
    const input = writing.input(call, context)
    if (id) {
      request.responseKey = { orgId: actor.orgId, id, fingerprint: fingerprint(input) }
      request.toStoredBody = (body, extras) => ({ tool: name, body, extras, context })
    }
    await admission.spendBudget()
    requireWriter(actor)
    const action = heldBackAction(actor, twin.operationId, input)
    if (action === undefined) return { ...(await writing.act(call, input, context)), context }
    if (id) request.toStoredBody = (body) => ({ tool: name, body, context, isHeldBack: true })
    const { method, path } = request
    const body = await holdBack({
      ...{ app, actor, action, fields: twinFields(twin, input), ids: subjectIdsOf(twin.operationId, input) },
      stored: {
        door: 'mcp',
        method,
        path,
        tool: name,
        call: toStoredCall({ arguments: call.arguments, input, context }),
      },
      trial: (trial) => writing.act({ ...call, actor: { ...actor, request: trial } }, input, context),
    })
    // The budget is spent when the request happens.
    admission.refund(undefined)
    return { body, context, isHeldBack: true }
  }
  const show = async (kept: Kept): Promise<object> =>
    kept.isHeldBack ? { ...(kept.body as object), next_step: waitForPerson } : writing.show({ ...kept, call })
  if (!id) return { answer: await show(await work()), isReplayed: false }
  const fingerprintFor = (stored: string) => {
    const kept = keptOf(stored, name)
    return kept ? fingerprint(writing.input(call, kept.context)) : ofAnother
  }
  const outcome = await runOnce(app, { orgId: actor.orgId, id, fingerprintFor }, async () => {
    try {
      return await work()
    } catch (error) {
      admission.refund(error)
      throw error
    }
  })
  const isReplayed = outcome instanceof StoredResponse
  const kept = isReplayed ? keptOf(outcome.text, name)! : outcome
  const answer = await show(kept)
  return { answer: isReplayed ? { ...answer, replayed: true } : answer, isReplayed }
}

const waitForPerson =
  'A person must approve this first; nothing has changed and no time is reserved. Tell them, and do not call again.'

type Fields = Record<string, unknown>

/** The fields of the input that the twin has as well. The tools of events have names of their own for the times that they have read. */
function twinFields(twin: Route, { start, end, ...input }: Fields): Fields {
  const named = { ...input, start_time: input.start_time ?? start, end_time: input.end_time ?? end }
  const isOfTwin = (name: string) => ['occurrence_start', 'scope'].includes(name) || isInBody(twin, name)
  return Object.fromEntries(Object.entries(named).filter(([name, value]) => value !== undefined && isOfTwin(name)))
}

const asRequest = (tool: string) => ({ method: 'POST', path: `/mcp/${tool}`, query: '', ifMatch: undefined })

/** Equal to no fingerprint. */
const ofAnother = Buffer.alloc(0)

/** Undefined for the answer of another tool, or of a request of REST, which may be empty. */
function keptOf(text: string, tool: string): Kept | undefined {
  const kept = text === '' ? undefined : JSON.parse(text)
  return kept?.tool === tool && kept.context !== undefined ? kept : undefined
}
