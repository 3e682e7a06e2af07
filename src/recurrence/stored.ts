import { parseRule } from './grammar.ts'
import { type Beside, compileSeries, type Series } from './series.ts'

/**
 * The series of a stored event. Its rule was checked before it was stored: throws if it cannot be read all the same. Start,
 * end and `cancelled` (starts, in any order) are epoch ms.
 */
export function storedSeries(
  rule: string,
  startMs: number,
  endMs: number,
  cancelled: readonly number[],
  beside?: Beside,
): Series {
  const parsed = parseRule(rule)
  if (!parsed.ok) throw new Error(`a stored recurrence rule does not parse: ${parsed.reason}`)
  return compileSeries(parsed.rule, new Date(startMs), cancelled, endMs - startMs, beside)
}
