import type { RequestHandler, Router } from 'express'
import { otherMethods } from './errors.ts'
import { nameRoute } from './identity.ts'

/** A path that is not in the table of routes: it can be read, and nothing else. */
export const getOnly = (router: Router, path: string, handler: RequestHandler) =>
  router.route(path).all(nameRoute(path)).get(handler).all(otherMethods('GET'))
