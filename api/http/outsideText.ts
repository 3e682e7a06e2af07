// `outside_text`: how a caller is shown text that somebody outside its organization wrote. Every route that has `outside` takes it; the
// guardrail of a key holds for all of them.
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
  if (!route.outside) return route
  const query = (route.query as z.ZodObject | undefined) ?? z.strictObject({})
  return { ...route, query: query.safeExtend({ [parameter]: field }) }
}

/** A word that is not known is refused with the input. */
export function askedView({ outside }: Route, req: Request): OutsideView | undefined {
  if (!outside || !req.url.includes(parameter)) return undefined
  return outsideViews.find((view) => view === req.query[parameter])
}

/** The tag of a record is that of its full view. */
export async function shownAnswer(app: App, actor: Actor | undefined, answer: unknown): Promise<unknown> {
  if (!actor || outsideViewOf(actor) === undefined || answer instanceof RawAnswer) return answer
  if (answer instanceof StoredResponse) {
    if (answer.text === '') return answer
    return answer.shownAs(JSON.stringify(await shownTo(app, actor, JSON.parse(answer.text))))
  }
  if (!(answer instanceof Answer)) return shownTo(app, actor, answer)
  return new Answer(answer.status, await shownTo(app, actor, answer.body), answer.headers)
}
