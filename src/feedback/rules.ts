/**
 * Keys, webhook secrets and session tokens. Each has a prefix of its own, whatever stands before it (`API_KEY_svc_sk_…`). A
 * webhook secret may be escaped as in an address or in JSON. The pattern demands nothing after the secret, so no text makes
 * it backtrack.
 */
const secrets = /(svc_[sa]k_|whsec_)(?:[\w+/=%-]|\\\/){8,}|(eyJhbGciOi)[\w.-]{8,}/g
/**
 * Tokens in the addresses of feeds, bookings and mailed links are recognised only by their place, as is a token in JSON.
 * Addresses may be escaped, in JSON or as part of another address.
 */
const words = /((?:\/|2F)(?:ical|bookings)(?:\\?\/|%(?:25)*2F)|token(?:=|%(?:25)*3D|\\*["'] ?: ?\\*["']))[\w-]{16,}/gi
/** One-time codes are six ordinary digits: only the name of the field reveals them. */
const hidden = /authorization|cookie|password|secret|token|api[_-]?key|(?<![a-z])otp|otps?$/i
const counted = /count$/i

/** The same value without secrets at any depth, in names as well: only the prefix of each is left. */
export function withoutSecrets(value: unknown, adminToken: string): unknown {
  const inText = (text: string) => text.replaceAll(adminToken, '…').replace(secrets, '$1$2…').replace(words, '$1…')
  const isSecret = (name: string) => hidden.test(name) && !counted.test(name)
  const inValue = (given: unknown): unknown => {
    if (typeof given === 'string') return inText(given)
    if (Array.isArray(given)) return given.map(inValue)
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, item]) => [inText(name), isSecret(name) ? '…' : inValue(item)]),
    )
  }
  return inValue(value)
}
