/**
 * What this service hands out and whoever has it may use: keys, webhook secrets, the token of a session, and the words in
 * the addresses of feeds, bookings and links to a new password. Each begins in a way of its own, whatever stands before it
 * (`API_KEY_svc_sk_…`). A webhook secret may be escaped as in an address or in JSON. Nothing has to follow, so a text is
 * read once, however it is made. One-time codes are six digits like any others: only their name gives them away.
 */
const secrets =
  /(svc_[sa]k_|whsec_)(?:[\w+/=%-]|\\\/){8,}|(eyJhbGciOi)[\w.-]{8,}|(\/(?:ical|bookings)\\?\/|[?&]token=)[\w-]{16,}/g
const hidden = /(authorization|cookie|password|secret|token|otp|api[_-]?key)$/i

/** The same value with every secret taken out, however deep, in names as well: only its beginning is left. */
export function withoutSecrets(value: unknown, adminToken: string): unknown {
  const inText = (text: string) => text.replaceAll(adminToken, '…').replace(secrets, '$1$2$3…')
  const inValue = (given: unknown): unknown => {
    if (typeof given === 'string') return inText(given)
    if (Array.isArray(given)) return given.map(inValue)
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, item]) => [inText(name), hidden.test(name) ? '…' : inValue(item)]),
    )
  }
  return inValue(value)
}
