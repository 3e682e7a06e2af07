// Hints for a text that is not a time, and advice for common mistakes.

/** Reads after `must be a string, ` and after `expected `. */
export const datetimeForm = 'ISO 8601 with an offset, for example 2026-03-01T09:00:00Z'
const zonedForm = 'ISO 8601 with an offset or a zone, for example 2026-12-01T10:00:00[Europe/Berlin]'

/** For a text without brackets. */
export function datetimeHint(text: string): string {
  const expected = `expected ${datetimeForm}`
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    return `${expected}. A date needs a time, also for a whole day: ${text}T00:00:00Z`
  }
  return /T[\d:.,]+ \d\d:?(\d\d)?$/.test(text) ? `${expected}. ${spaceHint}` : expected
}

/** For a text with brackets. */
export function zonedHint(text: string): string {
  const expected = `expected ${zonedForm}`
  return /T[\d:.,]+ \d\d:?(\d\d)?\[/.test(text) ? `${expected}. ${spaceHint}` : expected
}

const spaceHint = 'In a query a + means a space: write %2B for it'
