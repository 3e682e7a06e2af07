// The parameters of a request, in its path and in its query.
import type { Request } from 'express'
import { notFound } from '../../src/errors.ts'
import { requireStorableText } from './storable.ts'

/** A parameter that is sent twice is a list. */
export function readQuery(req: Request, takesAnyText = false): Record<string, unknown> {
  // Express parses it on every access.
  if (!req.url.includes('?')) return {}
  const query = { ...req.query }
  if (takesAnyText) return query
  for (const [name, value] of Object.entries(query)) if (typeof value === 'string') requireStorableText(value, name)
  return query
}

/** No identifier holds a NUL, so one with a NUL is not found. */
export function readParams(req: Request): Record<string, unknown> {
  if (Object.values(req.params).some((value) => value.includes('\0'))) throw notFound('resource')
  return req.params
}
