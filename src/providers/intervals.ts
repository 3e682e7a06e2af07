/** Busy time, half-open, in epoch milliseconds. */
export type Interval = { startMs: number; endMs: number }
