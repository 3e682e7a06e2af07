// The input of a route: its parameters and its body, raw and parsed.
import type { Request, Response } from 'express'
import { z } from 'zod'
import { ServiceError } from '../../src/errors.ts'
import { readAnyText, readBody } from './body.ts'
import { readParams, readQuery } from './parameters.ts'
import type { Route } from './route.ts'
import { readSwitches } from './switches.ts'
import { validate } from './validation.ts'

/** The raw body, not checked yet. */
export type SentBody = { sent: unknown }

/** `sent`: the raw body, for a request that is stored. */
export async function inputOf(route: Route, req: Request, res: Response, given?: SentBody) {
  const params = route.params && validate(route.params, route.takesAnyBody ? req.params : readParams(req), 'path')
  const query = validate(route.query ?? noFields, readSwitches(route, readQuery(req, route.takesAnyQuery)), 'query')
  if (route.takesAnyBody) return { params, query, body: await readAnyText(req), sent: undefined }
  if (!isBodyRead(route)) return { params, query, body: undefined, sent: undefined }
  const sent = given ? given.sent : await sentBody(route, req, res)
  return { params, query, body: checkBody(route, sent), sent }
}

/** GET and DELETE ignore a body. */
const isBodyRead = ({ body, method, ignoresBody }: Route): boolean =>
  !ignoresBody && (body !== undefined || (method !== 'get' && method !== 'delete'))

const noFields = z.strictObject({})

export async function sentBody(route: Route, req: Request, res: Response): Promise<unknown> {
  if (!isBodyRead(route)) return undefined
  return readBody(req, res, { form: route.form === true }).catch((error) => {
    throw asRefused(route, error)
  })
}

/** Without a schema any field is refused like an unknown key. */
function checkBody(route: Route, body: unknown): unknown {
  try {
    return validate(route.body ?? noFields, body, 'body')
  } catch (error) {
    throw asRefused(route, error)
  }
}

/** How the route refuses an invalid body. */
function asRefused({ invalidBody }: Route, error: unknown): unknown {
  if (!invalidBody || !(error instanceof ServiceError)) return error
  const { type, status = error.status } = invalidBody
  return new ServiceError(type, error.message, { ...error.detail, status })
}
