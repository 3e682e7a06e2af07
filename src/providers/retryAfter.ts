// How long a provider asks us to wait.
const maxRetryMs = 24 * 60 * 60_000

/** The header Retry-After, in seconds or as a date; empty without one that can be read. */
export function retryAfterMsOf(headers: Record<string, string | string[] | undefined>): { retryAfterMs?: number } {
  const text = headers['retry-after']
  if (typeof text !== 'string' || text.trim() === '') return {}
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? { retryAfterMs: Math.min(maxRetryMs, Math.max(0, ms)) } : {}
}
