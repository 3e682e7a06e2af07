// Other times that an answer to a proposal offers. Pure.
import { momentText } from '../../parts/wallTimes.ts'

/** As the fields of the form have it. */
export type CounterRow = { from: string; to: string }
export const noCounter: CounterRow = { from: '', to: '' }

export const counterSlots = (rows: readonly CounterRow[], zone: string) =>
  rows.map(({ from, to }) => ({ start_time: momentText(from, zone), end_time: momentText(to, zone) }))

type Slot = { start: string; end: string }

/** The service keeps them as records of any shape. */
export const slotsOf = (counter: readonly Record<string, unknown>[]): Slot[] =>
  counter.flatMap(({ start_time: start, end_time: end }) =>
    typeof start === 'string' && typeof end === 'string' ? [{ start, end }] : [],
  )
