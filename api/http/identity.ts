// The request behind a change, for the audit log, and the address of its client.
import { isIP } from 'node:net'
import express, { type Request } from 'express'
import type { RequestContext } from '../../src/actors/actor.ts'
import type { Config } from '../../src/config.ts'

type Known = Pick<RequestContext, 'id' | 'path' | 'startedAt' | 'successStatus'>

export const contextOf = (req: Request, known: Known): RequestContext => ({
  ...known,
  method: req.method,
  ip: addressOf(req),
  userAgent: req.headers['user-agent'] ?? null,
})

const token = /:(\w*token|receipt)\b/

/**
 * The path of a request in records. A token in a path opens something by itself, so they have the path of the route instead; a page
 * that knows its subject names the id of that.
 */
export const recordedPath = (route: { path: string }, req: Pick<Request, 'path'>): string =>
  token.test(route.path) ? route.path : req.path

/**
 * The address of the client: that of the socket, or while it belongs to a trusted proxy, the one that this proxy names. A proxy
 * that names none (`unknown`) counts as the client itself.
 */
export function addressOf(req: Request): string | null {
  const connected = req.socket.remoteAddress
  if (connected === undefined) return null
  const forwarded = req.headers['x-forwarded-for'] as string | undefined
  let address = plainAddress(connected)
  if (forwarded === undefined) return address
  const isTrusted = req.app.get('trust proxy fn') as Trust
  const hops = forwarded.split(',').filter((hop) => hop.trim() !== '')
  for (let hop = 0; hops.length > 0 && isTrusted(address, hop); hop++) {
    const named = namedAddress(hops.pop()!)
    if (named === undefined) break
    address = named
  }
  return address
}

/** A socket for both families shows an IPv4 client as `::ffff:203.0.113.7`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Some proxies add the port of the client, to which IPv6 needs brackets: each connection would be another client. */
function namedAddress(hop: string): string | undefined {
  const [, bracketed, four, bare] = hopPattern.exec(hop) ?? []
  const address = bracketed ?? four ?? bare ?? ''
  return isIP(address) === 0 ? undefined : plainAddress(address)
}

const hopPattern = /^\s*"?(?:\[([\da-f:.]+)\](?::\w*)?|([\d.]+)(?::\w*)?|([\da-f:.]+))"?\s*$/i

/** `address` is undefined once the connection is closed. */
type Trust = (address: string | undefined, hop: number) => boolean

/** As Express reads the setting. */
export function trustOf({ trustedProxies }: Pick<Config, 'trustedProxies'>): Trust {
  const server = express()
  server.set('trust proxy', trustedProxies)
  return rememberTrust(server.get('trust proxy fn'))
}

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
