// `outside_text`: how a caller is shown text that somebody outside its organization wrote. Every route whose record may say so takes it;
// the guardrail of a key holds for all routes.
import type { Request } from 'express'
import { z } from 'zod'
import type { Actor } from '../../src/actors/actor.ts'
import { type OutsideView, outsideViewOf, outsideViews } from '../../src/actors/outsideText.ts'
import type { App } from '../../src/app.ts'
import { shownTo } from '../../src/outsideText/show.ts'
import { StoredResponse } from '../../src/storedResponses/runOnce.ts'
import { Answer, RawAnswer, type Route } from './route.ts'

const parameter = 'outside_text'

const field = z.enum(outsideViews).optional().meta({
  description:
    'Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.',
})

/** The route with the parameter, if it takes it. */
export function withOutsideText(route: Route): Route {
  const { access, success, also = [] } = route
  const isOfKeys = access === 'key' || access === 'organization'
  const says = route.outside || [success, ...also].some(({ schema }) => saysOutside(schema))
  if (!isOfKeys || !says) return route
  const query = (route.query as z.ZodObject | undefined) ?? z.strictObject({})
  return { ...route, outside: true, query: query.safeExtend({ [parameter]: field }) }
}

/** Whether a record in it has `outside`, at any depth. */
function saysOutside(schema: unknown): boolean {
  if (schema instanceof z.ZodObject) return 'outside' in schema.shape || Object.values(schema.shape).some(saysOutside)
  if (schema instanceof z.ZodArray) return saysOutside(schema.element)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return saysOutside(schema.unwrap())
  return schema instanceof z.ZodUnion && schema.options.some(saysOutside)
}

/** A word that is not known is refused with the input. */
export function askedView({ outside }: Route, req: Request): OutsideView | undefined {
  if (!outside || !req.url.includes(parameter)) return undefined
  return outsideViews.find((view) => view === req.query[parameter])
}

/** The tag of a record is that of its full view. `about`: the id in the path, for entries that do not name their event. */
export async function shownAnswer(
  app: App,
  actor: Actor | undefined,
  answer: unknown,
  about?: unknown,
): Promise<unknown> {
  if (!actor || outsideViewOf(actor) === undefined || answer instanceof RawAnswer) return answer
  if (answer instanceof StoredResponse) {
    if (answer.text === '') return answer
    return answer.shownAs(JSON.stringify(await shownTo(app, actor, JSON.parse(answer.text), about)))
  }
  if (!(answer instanceof Answer)) return shownTo(app, actor, answer, about)
  return new Answer(answer.status, await shownTo(app, actor, answer.body, about), answer.headers)
}
