// Rules of series as the form has them. Pure.

export const repeats = ['never', 'daily', 'weekly', 'monthly', 'custom'] as const
export type Repeat = (typeof repeats)[number]

type Values = { repeat: Repeat; occurrences: string; recurrence_rule: string }

/** The rule for the service; undefined without one. A number of occurrences goes as it was typed, so that the service judges it. */
export function ruleOf({ repeat, occurrences, recurrence_rule }: Values): string | undefined {
  if (repeat === 'never') return undefined
  if (repeat === 'custom') return recurrence_rule
  return `FREQ=${repeat.toUpperCase()}${occurrences && `;COUNT=${occurrences}`}`
}
