// The requests and responses that Node makes. Express gives each of them its own prototype, which costs V8 a tenth of a small
// request. These have it from the beginning.
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** A plain function, or an application of Express. */
export type Handler = RequestListener & Partial<Pick<Express, 'request' | 'response'>>

type Messages = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>

/** For the server that `handler` listens to; nothing for a plain function. */
export function messagesOf(handler: Handler): Messages {
  if (!handler.request || !handler.response) return {}
  class Request extends IncomingMessage {}
  class Response<Request extends IncomingMessage> extends ServerResponse<Request> {}
  handler.request = Object.setPrototypeOf(Request.prototype, handler.request)
  handler.response = Object.setPrototypeOf(Response.prototype, handler.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}
