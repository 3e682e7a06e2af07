/** Keys of this service and webhook secrets that somebody pasted into what is logged: only their kind is left. */
const secret = /\b(svc_(?:sk|ak)_|whsec_)[A-Za-z0-9_+/=-]{8,}/g
const hidden = /^(authorization|cookie|set-cookie|password|secret|token|api[_-]?key)$/i

/** The same value with every secret taken out, however deep. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(secret, '$1…')
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, hidden.test(key) ? '…' : withoutSecrets(item)]),
  )
}
