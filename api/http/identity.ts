// The request behind a change, for the audit log, and the address of its client.
import type { Request } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'

export const contextOf = (req: Request, requestId: string, successStatus: number, startedAt: Date): RequestContext => ({
  id: requestId,
  method: req.method,
  path: req.path,
  ip: addressOf(req),
  userAgent: req.headers['user-agent'] ?? null,
  startedAt,
  successStatus,
})

/**
 * A socket for both families shows an IPv4 client as `::ffff:203.0.113.7`. Without the header `req.ip` is the address of the socket,
 * but takes longer to say so.
 */
export function addressOf(req: Request): string | null {
  const address = req.headers['x-forwarded-for'] === undefined ? req.socket.remoteAddress : req.ip
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null
}

/** `address` is undefined once the connection is closed. */
type Trust = (address: string | undefined, hop: number) => boolean

const maxRemembered = 10_000
/** Of an address with a zone. Clients may send any text in place of an address. */
const maxAddressLength = 64

/** The answers of `trust`, which parses an address whenever it is asked, and whose answer depends on the address alone. */
export function rememberTrust(trust: Trust): Trust {
  const known = new Map<string | undefined, boolean>()
  return (address, hop) => {
    const remembered = known.get(address)
    if (remembered !== undefined) return remembered
    const isTrusted = trust(address, hop)
    if (address !== undefined && address.length > maxAddressLength) return isTrusted
    if (known.size >= maxRemembered) known.clear()
    known.set(address, isTrusted)
    return isTrusted
  }
}
