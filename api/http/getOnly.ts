import type { RequestHandler, Router } from 'express'
import { otherMethods } from './errors.ts'
import { nameRoute } from './exchange.ts'

/** A path outside the table of routes, for GET alone. */
export const getOnly = (router: Router, path: string, handler: RequestHandler) =>
  router.route(path).all(nameRoute(path)).get(handler).all(otherMethods('GET'))
