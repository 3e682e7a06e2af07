// `view=local`: an answer that also says its times on the wall clock of a zone. Every route that has `local` takes it.
import { z } from 'zod'
import { slicedWithLocal, withLocal } from '../../src/localtime/view.ts'
import { zone } from '../../src/shapes/fields.ts'
import { Answer, RawAnswer, type Route } from './route.ts'

const view = z.enum(['local']).optional().meta({
  description: '`local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.',
})
const tz = zone.optional()
const tzHere = {
  calendar: tz.meta({ description: 'Only with `view=local`: the zone, if not that of the calendar.' }),
  asked: tz.meta({ description: 'Only with `view=local`, and required then: the zone.' }),
}

type Viewed = { view?: 'local'; tz?: string }

/** The route with the two parameters of the view, if it takes them. */
export function withLocalView(route: Route): Route {
  const { local } = route
  if (!local) return route
  return {
    ...route,
    query: viewQuery(route.query as z.ZodObject | undefined, local === 'asked' ? 'asked' : 'calendar'),
    async run(call) {
      const asked = call.query as Viewed
      if (asked.view === undefined) return route.run(call)
      // Read before the change is made: nothing may fail after it.
      const name = asked.tz ?? (local === 'asked' ? undefined : await local.zoneOf(call)) ?? 'UTC'
      const show = (body: unknown) => (route.method === 'get' ? slicedWithLocal(body, name) : withLocal(body, name))
      // The stored answer is the one that is shown.
      call.request.localZone = name
      const answer = await route.run(call)
      if (answer instanceof RawAnswer) return answer
      return answer instanceof Answer
        ? new Answer(answer.status, await show(answer.body), answer.headers)
        : show(answer)
    },
  }
}

const viewQuery = (query: z.ZodObject = z.strictObject({}), zoneIs: keyof typeof tzHere) =>
  query.safeExtend({ view, tz: tzHere[zoneIs] }).check(({ value, issues }) => {
    const asked: Viewed = value
    const refuse = (message: string) => issues.push({ code: 'custom', path: ['tz'], message, input: asked.tz })
    // A route with its own zone checks it itself.
    if (asked.tz !== undefined && asked.view === undefined && !query.shape.tz) refuse('only with view=local')
    if (asked.view !== undefined && asked.tz === undefined && zoneIs === 'asked') {
      refuse('is required with view=local, because this answer may be about several calendars')
    }
  })
