// The spans of time that have a name, in milliseconds. A day here is 24 hours, whatever a clock change makes of a civil one.

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
