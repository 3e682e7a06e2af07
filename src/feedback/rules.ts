/**
 * What this service hands out and whoever has it may use: keys, webhook secrets and the token of a session. Each begins in a
 * way of its own, whatever stands before it (`API_KEY_svc_sk_…`). A webhook secret may be escaped as in an address or in
 * JSON. Nothing has to follow, so a text is read once, however it is made.
 */
const secrets = /(svc_[sa]k_|whsec_)(?:[\w+/=%-]|\\\/){8,}|(eyJhbGciOi)[\w.-]{8,}/g
/**
 * The words in the addresses of feeds, bookings and links to a new password are known by their place alone, as is a token in
 * JSON. Addresses may be escaped, in JSON or as part of another address.
 */
const words = /((?:\/|2F)(?:ical|bookings)(?:\\?\/|%(?:25)*2F)|token(?:=|%(?:25)*3D|\\*["'] ?: ?\\*["']))[\w-]{16,}/gi
/** One-time codes are six digits like any others: only their name gives them away. */
const hidden = /authorization|cookie|password|secret|token|api[_-]?key|(?<![a-z])otp|otps?$/i
const counted = /count$/i

/** The same value with every secret taken out, however deep, in names as well: only its beginning is left. */
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
