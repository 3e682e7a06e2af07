// One JSON-RPC request of one caller: the gate admits it once, then the protocol asks this visit for what it needs.
import type { Request, Response } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { ServiceError } from '../../src/errors.ts'
import type { Admission, Gate } from '../gate/gate.ts'
import { asServiceError, logFailure } from '../http/errors.ts'
import type { Gated } from '../http/route.ts'
import { type Called, calledTool, failedResult, runTool } from './call.ts'
import type { RequestMessage } from './message.ts'
import { isUsable } from './selection.ts'
import type { Desk } from './server.ts'
import { listedTool, type Tool } from './tool.ts'

/** `selection`: the tools of its address. */
type Visit = {
  app: App
  gate: Gate
  req: Request
  res: Response
  request: RequestContext
  selection: readonly Tool[]
}

/** The protocol's own methods: they cost a token of the rate, and no call. */
const free: Gated = { method: 'get', access: 'key', isFree: true }
/** A call of a tool that the address does not have. */
const counted: Gated = { method: 'get', access: 'key' }

/**
 * What the protocol may ask for this request. Throws 401 for a key that is none, and every refusal of a request that is not
 * the call of a tool: a refused call is a result.
 */
export async function deskFor(visit: Visit, message: RequestMessage): Promise<Desk> {
  const { app, res, selection } = visit
  const called = message.method === 'tools/call' ? calledTool(selection, message.params) : undefined
  const admission = await admit(visit, message, called)
  const failed = (error: unknown) => logFailure(app, res, error)
  if (admission instanceof ServiceError) {
    return { failed, listTools: () => [], callTool: async () => failedResult(visit, called!, admission) }
  }
  return {
    failed,
    listTools: () => selection.filter((tool) => isUsable(tool, admission.actor)).map(listedTool),
    callTool: () => called && runTool(visit, called, admission),
  }
}

async function admit(
  visit: Visit,
  { method }: RequestMessage,
  called: Called | undefined,
): Promise<Admission | ServiceError> {
  const { gate, req, res, request } = visit
  if (!called) return gate.admit(method === 'tools/call' ? counted : free, req, res, request, false)
  const [twin] = called.tool.twins
  request.path = `${request.path}/${called.tool.name}`
  request.successStatus = twin.success.status
  try {
    return await gate.admit(twin, req, res, request, called.hasKey)
  } catch (error) {
    const refusal = asServiceError(error)
    if (refusal.status === 401) throw error
    if (!(error instanceof ServiceError)) logFailure(visit.app, res, error)
    return refusal
  }
}
