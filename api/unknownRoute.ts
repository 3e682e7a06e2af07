// The answer to a path without a route, with the route that was probably meant.
import type { RequestHandler } from 'express'
import { noRoute } from '../src/errors.ts'
import { nearestName } from './http/nearest.ts'
import type { Route } from './http/route.ts'

export function unknownRoute(table: readonly Route[]): RequestHandler {
  const begun = new Set(table.flatMap(({ path }) => /^\/v1\/([^/]+)/.exec(path)?.[1] ?? []))
  const nouns = [...begun].filter((noun) => table.some(({ path }) => path === `/v1/${noun}`))

  /** Empty for a path that begins like one of ours: its mistake comes later in the path. */
  function hintFor(path: string): string {
    const [, first = '', second = ''] = path.split('/')
    if (first === 'v1' && begun.has(second)) return ''
    const nearest = nearestName(first === 'v1' ? second : first, nouns)
    return nearest === undefined ? '' : ` Did you mean /v1/${nearest}?`
  }

  return ({ method, path }) => {
    throw noRoute(method, path, hintFor(path))
  }
}
