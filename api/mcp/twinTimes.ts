// The times within the body of a twin, as a tool takes them.
import { zoneOfCalendar } from '../../src/calendars/calendars.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import type { Route } from '../http/route.ts'
import { readMoment, type Zones } from './times.ts'
import type { ToolCall } from './tool.ts'
import { ToolRefusal } from './toolRefusal.ts'
import { withTimesRead } from './twinFields.ts'

type Json = Record<string, unknown>

/** The zones of the calendars that a body names, each once. Those that do not exist are left to the twin. */
export async function zonesOfIds(
  { app, actor }: Pick<ToolCall, 'app' | 'actor'>,
  { id, timezone }: { id: Uuid; timezone: string },
  further: readonly string[],
): Promise<{ id: string; zones: string[] }> {
  const found = await Promise.all([...new Set(further)].map((one) => zoneOfCalendar(app, actor, one)))
  const zones = [timezone, ...found.filter((zone) => zone !== undefined)]
  return { id: encodeId('cal', id), zones: [...new Set(zones)] }
}

/** The body with every time as an instant. A refusal suggests the whole field that holds the time. */
export const bodyTimesRead = (route: Route, body: Json, zones: Zones, now: Date): Json =>
  withTimesRead(route, body, (text, path) => {
    try {
      return readMoment(text, { param: path, zones, now }).toISOString()
    } catch (error) {
      throw error instanceof ToolRefusal ? inField(error, body, path) : error
    }
  })

function inField(error: ToolRefusal, body: Json, path: string): ToolRefusal {
  const [field = '', ...rest] = path.split('.')
  const suggestions = error.suggestions.flatMap((one) => {
    const text = one.arguments[path]
    if (typeof text !== 'string') return 'timezone' in one.arguments ? [one] : []
    return [{ ...one, arguments: { [field]: replaced(body[field], rest, text) } }]
  })
  const { type, detail, nextStep, further } = error
  return new ToolRefusal(error.message, {
    type,
    suggestions,
    further,
    ...(detail.param !== undefined && { param: detail.param }),
    ...(detail.code && { code: detail.code }),
    ...(nextStep !== undefined && { nextStep }),
  })
}

function replaced(value: unknown, path: readonly string[], text: string): unknown {
  const [next, ...rest] = path
  if (next === undefined) return text
  if (Array.isArray(value)) return value.map((one, nth) => (nth === Number(next) ? replaced(one, rest, text) : one))
  return { ...(value as Json), [next]: replaced((value as Json)[next], rest, text) }
}
