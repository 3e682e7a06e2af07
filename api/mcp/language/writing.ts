// A tool that changes something. Its call is split into its context, the request, the write and the answer,
// so that a repeated call with its key gets its first answer again, and nothing is written.
import type { Actor, RequestContext } from '../../../src/actors/actor.ts'
import { requireWriter } from '../../../src/actors/guardrails.ts'
import type { App } from '../../../src/app.ts'
import { fingerprintOf, readKey, responseIdOf } from '../../../src/storedResponses/key.ts'
import { runOnce, StoredResponse } from '../../../src/storedResponses/runOnce.ts'
import type { Admission } from '../../gate/gate.ts'
import { heldBackAction, holdBack, subjectIdsOf } from '../../gate/heldBack.ts'
import type { Route } from '../../http/route.ts'
import { isInBody } from './operationFields.ts'
import { toStoredCall } from './storedCall.ts'

type Call<Args = Record<string, unknown>> = { app: App; actor: Actor; arguments: Args }

/** The outcome of the write: the body of the twin's answer, and further results of its use case. */
type Done<Body = unknown, Extras = unknown> = { body: Body; extras?: Extras }

/** The stored part of a call: JSON. */
type Kept<Body, Context> = {
  body: Body
  extras?: unknown
  context: Context
  /** It waits for an approval, which is the body. */
  isHeldBack?: true
}

type Shown<Body, Context> = Kept<Body, Context> & { call: Call }

export type Writing<Args, Context, Input, Body> = {
  /**
   * Reads the context of the arguments: ids that are left out, zones, the record before the change. It is stored with the answer,
   * because a repeated call may come after that has changed.
   */
  context(call: Call<Args>): Promise<Context>
  /** The request, independent of its spelling: two calls with one key must agree in it. Pure; may refuse the arguments. */
  input(call: Call<Args>, context: Context): Input
  /** May add to the context. */
  act(call: Call<Args>, input: Input, context: Context): Promise<Done<Body>>
  show(shown: Shown<Body, Context>): object | Promise<object>
}

// biome-ignore lint/suspicious/noExplicitAny: each tool knows its own
export type AnyWriting = Writing<any, any, any, any>

type WritingTool = { name: string; twins: readonly [Route, ...Route[]]; writing: AnyWriting }

type ToolRequest = {
  call: Call
  request: RequestContext
  admission: Pick<Admission, 'refund' | 'spendBudget'>
  key: unknown
}

/** `key`: of the caller, if it sent one. */
export async function runWriting(
  { name, writing, twins: [twin] }: WritingTool,
  { call, request, admission, key }: ToolRequest,
): Promise<{ answer: object; isReplayed: boolean }> {
  const { app, actor } = call
  const scope = actor.agentId ?? actor.orgId
  const id = key === undefined ? undefined : responseIdOf(scope, readKey([String(key)]))
  const fingerprint = (input: unknown) => fingerprintOf({ ...asRequest(name), body: JSON.parse(JSON.stringify(input)) })
  const work = async (): Promise<Kept<unknown, unknown>> => {
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
  const show = async (kept: Kept<unknown, unknown>): Promise<object> =>
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
function keptOf(text: string, tool: string): Kept<unknown, unknown> | undefined {
  const kept = text === '' ? undefined : JSON.parse(text)
  return kept?.tool === tool && kept.context !== undefined ? kept : undefined
}
