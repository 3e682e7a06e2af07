// Dates as the API and date fields write them. Pure.

/** The day of a moment in a zone: `2026-12-01`. */
export const dateIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
