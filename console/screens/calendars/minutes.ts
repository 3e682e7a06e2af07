// Reminders as a person writes them: minutes, with commas. Pure.
import { numberOf } from '../../parts/numbers.ts'

export const minutesText = (minutes: readonly number[] | null): string => (minutes ?? []).join(', ')

/** Nothing means none. A word is sent as it is, so that the service says what is wrong with it. */
export const minutesOf = (text: string): number[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(numberOf)
