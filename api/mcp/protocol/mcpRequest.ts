// One JSON-RPC request of one caller: the gate admits it once, then the protocol asks its desk for the answer.
import type { Request, Response } from 'express'
import type { RequestContext } from '../../../src/actors/actor.ts'
import type { App } from '../../../src/app.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Admission, Gate } from '../../gate/gate.ts'
import { asServiceError, logFailure } from '../../http/errors.ts'
import type { Gated } from '../../http/route.ts'
import { routeNamed } from '../language/routeNamed.ts'
import { readTool, type Tool } from '../language/tool.ts'
import { failedResult, type ResolvedCall, resolveCall, runTool } from './call.ts'
import { answerList } from './lists.ts'
import type { RequestMessage } from './message.ts'
import { readResource, resourceAt } from './resources.ts'
import { ParamsError, type Responder } from './server.ts'

/** `selection`: the tools of its address. */
type McpRequest = {
  app: App
  gate: Gate
  req: Request
  res: Response
  request: RequestContext
  selection: readonly Tool[]
}

/** Stands for a tool that the address does not have: the gate's refusal of its call is a result as well. */
const absent: ResolvedCall = {
  tool: readTool({
    name: 'unknown',
    title: 'Unknown tool',
    description: 'Does not exist.',
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

/** `leave` is called when the protocol has answered; it throws errors that must be answered as an HTTP status. */
type OpenResponder = Responder & { leave(): void }

/**
 * Throws 401 if the key is invalid, and every refusal of a request that is not the call of a tool: a refused call is a
 * result.
 */
export async function openResponder(mcpRequest: McpRequest, message: RequestMessage): Promise<OpenResponder> {
  const resolved = message.method === 'tools/call' ? resolveCall(mcpRequest.selection, message.params) : undefined
  const admission = await admit(mcpRequest, message, resolved)
  return admission instanceof ServiceError
    ? refusingResponder(mcpRequest, resolved ?? absent, admission)
    : responderFor(mcpRequest, resolved, admission)
}

function refusingResponder(mcpRequest: McpRequest, resolved: ResolvedCall, refusal: ServiceError): OpenResponder {
  return {
    answer: async () => failedResult(mcpRequest, resolved, refusal),
    failed: (error) => logFailure(mcpRequest.app, mcpRequest.res, error),
    isRefused: true,
    leave: () => undefined,
  }
}

function responderFor(mcpRequest: McpRequest, resolved: ResolvedCall | undefined, admission: Admission): OpenResponder {
  const { app, res, selection } = mcpRequest
  const key = { app, actor: admission.actor }
  let isAnswered = false
  let failure: unknown
  return {
    async answer(method, params) {
      isAnswered = true
      if (method !== 'tools/call') {
        return method === 'resources/read' ? readResource(key, params.uri) : answerList(key, selection, method, params)
      }
      if (resolved) return runTool(mcpRequest, resolved, admission)
      throw new ParamsError(
        'Unknown tool. tools/list names those of this address; ?profile= in the address adds others.',
      )
    },
    failed(error) {
      failure = error
    },
    leave() {
      // The protocol refused the message itself: its spending is given back.
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
  { app, gate, req, res, request }: McpRequest,
  message: RequestMessage,
  resolved: ResolvedCall | undefined,
): Promise<Admission | ServiceError> {
  if (message.method !== 'tools/call') return gate.admit(gatedBy(message), req, res, request, false)
  if (resolved) {
    request.path = `/mcp/${resolved.tool.name}`
    request.successStatus = resolved.tool.twins[0].success.status
  }
  try {
    return await gate.admit(resolved ? gatedTool(resolved.tool) : counted, req, res, request, resolved?.hasKey ?? false)
  } catch (error) {
    const refusal = asServiceError(error)
    if (refusal.status === 401) throw error
    logFailure(app, res, error)
    return refusal
  }
}
