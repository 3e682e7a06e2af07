// A recurrence rule as a value: exactly the rules that the grammar accepts, so that the engine needs no further checks.

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

/** In week order: the index is the weekday's number, and the week begins on Monday. */
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

export const maxInterval = 99
export const maxCount = 730
export const maxMonthDay = 28
export const maxOrdinal = 5

/**
 * `lastMs` (epoch ms) is the last moment at which an occurrence may start: the final millisecond of the UTC day or of the
 * second that UNTIL names.
 */
export type RuleEnd =
  | { kind: 'never' }
  | { kind: 'count'; count: number }
  | { kind: 'until'; form: 'date' | 'second'; lastMs: number }

/**
 * Where in its month an occurrence falls: `day` is 1 to 31 or -1 for the last one, `ordinal` 1 to 5 from the month's
 * beginning or -1 to -5 from its end, `weekday` 0 for Monday. Days above 28 come only from a start, never from the text.
 */
export type DayInMonth = { kind: 'monthDay'; day: number } | { kind: 'weekday'; ordinal: number; weekday: number }

/** A missing `weekdays` (ascending, without repeats) or `on` means: as the start. */
export type Rule = { interval: number; end: RuleEnd } & (
  | { freq: 'DAILY' }
  | { freq: 'WEEKLY'; weekdays?: readonly number[] }
  | { freq: 'MONTHLY'; on?: DayInMonth }
  | { freq: 'YEARLY' }
)
