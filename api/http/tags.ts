// The tags of single records: `ETag` in answers, `If-None-Match` and `If-Match` in requests.
import type { Request } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'
import { invalid } from '../../src/errors.ts'
import { etagOf } from '../../src/shapes/etag.ts'
import { matches } from './conditional.ts'
import { Answer, isMutation, RawAnswer, type Route } from './route.ts'

const isRecord = (body: unknown): body is object => typeof body === 'object' && body !== null

/** The route with the tag of its record. A view is laid over the answer later, so that the tag is the same in each. */
export function withTag(route: Route): Route {
  if (!route.tagged) return route
  return {
    ...route,
    async run(call) {
      const answer = await route.run(call)
      const own = answer instanceof Answer ? answer : new Answer(route.success.status, answer)
      if (!isRecord(own.body)) return answer
      const etag = tagOf(own.body)
      const isKnown = route.method === 'get' && matches(call.headers['if-none-match'], etag)
      return isKnown
        ? new RawAnswer(304, { ETag: etag })
        : new Answer(own.status, own.body, { ...own.headers, ETag: etag })
    },
  }
}

/** The tag of a stored answer, in any view. */
export function tagOfText({ tagged }: Route, text: string): Record<string, string> {
  if (!tagged || text === '') return {}
  const { local: _, ...record } = JSON.parse(text)
  return { ETag: tagOf(record) }
}

/** The state of an event's copy is not part of its record: reads do not have it. */
function tagOf(shown: { external_sync?: unknown }): string {
  if (!('external_sync' in shown)) return etagOf(shown)
  const { external_sync: _, ...record } = shown
  return etagOf(record)
}

/** Notes the conditions of the request on the current record. Throws `validation_error` for an empty `If-Match`. */
export function readPreconditions(route: Route, { headers }: Request, request: RequestContext): void {
  if (!isMutation(route)) return
  const sent = headers['if-match']
  if (sent?.trim() === '') throw invalid('If-Match: send a tag, or *', 'If-Match')
  if (!route.tagged) return
  if (sent !== undefined) request.ifMatch = sent
  if (route.method === 'put' && headers['if-none-match']?.trim() === '*') request.mustBeNew = true
}
