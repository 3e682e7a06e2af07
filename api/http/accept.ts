// Facts about the client, from the headers of its request: whether it wants HTML, and whether another site sent it.
import type { IncomingHttpHeaders } from 'node:http'

const htmlTypes = ['text/html', 'application/xhtml+xml', 'text/*']

/** True for a browser. A client that accepts anything, or does not say, gets JSON. */
export function asksForHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  const weights = new Map(accept.split(',').map(weightedType))
  const accepted = Math.max(...htmlTypes.map((type) => weights.get(type) ?? 0))
  return accepted > 0 && accepted >= (weights.get('application/json') ?? 0)
}

function weightedType(part: string): [type: string, weight: number] {
  const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}

/** A browser sends an Origin with every request from another site. A proxy may have rewritten the Host. */
export function isForeign({ origin, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  if (origin === undefined) return false
  const from = URL.parse(origin)
  return from === null || (from.host !== host && from.origin !== new URL(baseUrl).origin)
}
