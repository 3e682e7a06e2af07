// One JSON-RPC request of one caller: the gate admits it once, then the protocol asks its desk for the answer.
import type { Request, Response } from 'express'
import type { RequestContext } from '../../../src/actors/actor.ts'
import type { App } from '../../../src/app.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Admission, Gate } from '../../gate/gate.ts'
import { asServiceError, logFailure } from '../../http/errors.ts'
import type { Gated } from '../../http/route.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { type Tool, tool } from '../language/tool.ts'
import { type Called, calledTool, failedResult, runTool } from './call.ts'
import { answerList } from './lists.ts'
import type { RequestMessage } from './message.ts'
import { readResource, resourceAt } from './resources.ts'
import { type Desk, ParamsError } from './server.ts'

/** `selection`: the tools of its address. */
type Visit = {
  app: App
  gate: Gate
  req: Request
  res: Response
  request: RequestContext
  selection: readonly Tool[]
}

/** Stands for a tool that the address does not have: the gate's refusal of its call is a result as well. */
const absent: Called = {
  tool: tool({
    name: 'unknown',
    title: 'Unknown tool',
    description: 'Does not exist.',
    effect: 'reads',
    twins: [routeNamed('listCalendars')],
    arguments: {},
    answer: {},
    run: async () => ({}),
  }),
  sent: {},
  hasKey: false,
}

/** The protocol's own methods: they cost a token of the rate, and no call. */
const free: Gated = { method: 'get', access: 'key', isFree: true }
/** A tool or a resource that does not exist. */
const counted: Gated = { method: 'get', access: 'key' }

/** `leave` is called when the protocol has answered; it throws what has to be answered as an HTTP status. */
type OpenDesk = Desk & { leave(): void }

/**
 * Throws 401 if the key is invalid, and every refusal of a request that is not the call of a tool: a refused call is a
 * result.
 */
export async function openDesk(visit: Visit, message: RequestMessage): Promise<OpenDesk> {
  const called = message.method === 'tools/call' ? calledTool(visit.selection, message.params) : undefined
  const admission = await admit(visit, message, called)
  return admission instanceof ServiceError
    ? refusedDesk(visit, called ?? absent, admission)
    : deskOf(visit, called, admission)
}

function refusedDesk(visit: Visit, called: Called, refusal: ServiceError): OpenDesk {
  return {
    answer: async () => failedResult(visit, called, refusal),
    failed: (error) => logFailure(visit.app, visit.res, error),
    isRefused: true,
    leave: () => undefined,
  }
}

function deskOf(visit: Visit, called: Called | undefined, admission: Admission): OpenDesk {
  const { app, res, selection } = visit
  const key = { app, actor: admission.actor }
  let isAnswered = false
  let failure: unknown
  return {
    async answer(method, params) {
      isAnswered = true
      if (method !== 'tools/call') {
        return method === 'resources/read' ? readResource(key, params.uri) : answerList(key, selection, method, params)
      }
      if (called) return runTool(visit, called, admission)
      throw new ParamsError(
        'Unknown tool. tools/list names those of this address; ?profile= in the address adds others.',
      )
    },
    failed(error) {
      failure = error
    },
    leave() {
      // The protocol refused the message itself: what it spent is given back.
      if (!isAnswered || failure) admission.refund(failure)
      if (failure === undefined) return
      // An unavailable store gets a status, as over REST. An unexpected error is an error of the protocol.
      if (asServiceError(failure).status !== 500) throw failure
      logFailure(app, res, failure)
    },
  }
}

const gatedTool = ({ twins: [twin], feature }: Tool): Gated => (feature ? { ...twin, feature } : twin)

const gatedBy = ({ method, params }: RequestMessage): Gated => {
  return method === 'resources/read' ? (resourceAt(params.uri)?.twin ?? counted) : free
}

/** A refused call of a tool is returned, any other refusal thrown. */
async function admit(
  { app, gate, req, res, request }: Visit,
  message: RequestMessage,
  called: Called | undefined,
): Promise<Admission | ServiceError> {
  if (message.method !== 'tools/call') return gate.admit(gatedBy(message), req, res, request, false)
  if (called) {
    request.path = `/mcp/${called.tool.name}`
    request.successStatus = called.tool.twins[0].success.status
  }
  try {
    return await gate.admit(called ? gatedTool(called.tool) : counted, req, res, request, called?.hasKey ?? false)
  } catch (error) {
    const refusal = asServiceError(error)
    if (refusal.status === 401) throw error
    logFailure(app, res, error)
    return refusal
  }
}
