// The times within the body of a REST operation, as a tool takes them.
import { zoneOfCalendar } from '../../../src/calendars/calendars.ts'
import { encodeId, type Uuid } from '../../../src/shapes/ids.ts'
import type { Route } from '../../http/route.ts'
import { withTimesRead } from './operationFields.ts'
import { readMoment, type Zones } from './times.ts'
import type { ToolCall } from './tool.ts'
import { type Suggestion, ToolRefusal } from './toolRefusal.ts'

type Json = Record<string, unknown>

/** The zones of the calendars that a body names, each once. Unknown calendars are left to the REST operation. */
export async function zonesOfIds(
  { app, actor }: Pick<ToolCall, 'app' | 'actor'>,
  { id, timezone }: { id: Uuid; timezone: string },
  further: readonly string[],
): Promise<{ id: string; zones: string[] }> {
  const found = await Promise.all([...new Set(further)].map((one) => zoneOfCalendar(app, actor, one)))
  const zones = [timezone, ...found.filter((zone) => zone !== undefined)]
  return { id: encodeId('cal', id), zones: [...new Set(zones)] }
}

/** The body with every time as an instant. One refusal names all times that cannot be read, and suggests all of them. */
export function bodyTimesRead(route: Route, body: Json, zones: Zones, now: Date): Json {
  const wrong: Wrong[] = []
  const read = withTimesRead(route, body, (text, path) => {
    try {
      return readMoment(text, { param: path, zones, now }).toISOString()
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error
      wrong.push({ path, error })
      return text
    }
  })
  const [first, ...others] = wrong
  if (!first) return read
  throw first.error.suggesting(suggestionsFor(body, first, others), [
    ...new Set(wrong.map(({ error }) => error.message)),
  ])
}

type Wrong = { path: string; error: ToolRefusal }

/** The choices for the first, each with the likeliest choice for the others. */
function suggestionsFor(body: Json, first: Wrong, others: readonly Wrong[]): Suggestion[] {
  return first.error.suggestions.map(({ arguments: given, ...words }) => {
    if ('timezone' in given) return { ...words, arguments: given }
    const texts: [path: string, text: unknown][] = [
      [first.path, given[first.path]],
      ...others.map(({ path, error }): [string, unknown] => [path, error.suggestions[0]?.arguments[path]]),
    ]
    const known = texts.filter(([, text]) => text !== undefined)
    const mended = known.reduce<unknown>((whole, [path, text]) => replaced(whole, path.split('.'), String(text)), body)
    const fields = new Set(known.map(([path]) => path.split('.')[0]!))
    return { ...words, arguments: Object.fromEntries([...fields].map((field) => [field, (mended as Json)[field]])) }
  })
}

function replaced(value: unknown, path: readonly string[], text: string): unknown {
  const [next, ...rest] = path
  if (next === undefined) return text
  if (Array.isArray(value)) return value.map((one, nth) => (nth === Number(next) ? replaced(one, rest, text) : one))
  return { ...(value as Json), [next]: replaced((value as Json)[next], rest, text) }
}
