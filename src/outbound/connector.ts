// Making connections: every address is checked for the connection that uses it, so that a name cannot change its meaning
// between the check and the connection.
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isPublicAddress, isTrustedHost } from './addresses.ts'
import { closing, connectFailure, detailOf, dnsFailure, Failure, refusal } from './failures.ts'
import { passContinue } from './interim.ts'

/** All addresses of a name; rejects without any. */
export type Lookup = (hostname: string) => Promise<string[]>

const connectTimeoutMs = 10_000

/** Connects trusted hosts to whatever their name means on this machine, all others only to public addresses. */
export function openConnector(trustedHosts: readonly string[], injected: Lookup | undefined) {
  const resolvers = new Set<Resolver>()
  // One context for all: making one takes 0.4 ms, and Node would make one for every connection.
  const secureContext = createSecureContext()
  const options = { allowH2: false, timeout: connectTimeoutMs, autoSelectFamilyAttemptTimeout: 1_000, secureContext }
  const toAnywhere = buildConnector({ ...options, lookup: asNetLookup(injected ?? machineAddresses) })
  const toPublic = buildConnector({
    ...options,
    rejectUnauthorized: true,
    lookup: asNetLookup(publicOnly(injected ?? ((hostname) => dnsAddresses(resolvers, hostname)))),
  })
  const connecting = new Set<Socket>()

  const connect: buildConnector.connector = (target, callback) => {
    const { hostname, protocol } = target
    const port = target.port || (protocol === 'https:' ? '443' : '80')
    const trusted = isTrustedHost(trustedHosts, hostname, port)
    // Node does not call the lookup for a literal.
    if (!trusted && isIP(hostname) !== 0 && !isPublicAddress(hostname)) return callback(refusal(hostname), null)
    // The connector returns its socket, although its type does not say so.
    const socket = (trusted ? toAnywhere : toPublic)(target, (...[error, connected]) => {
      if (socket) connecting.delete(socket)
      if (error) callback(connectFailure(error, protocol), null)
      else callback(null, passContinue(connected))
    }) as unknown as Socket | undefined
    if (socket) connecting.add(socket)
  }
  const close = () => {
    for (const resolver of resolvers) resolver.cancel()
    for (const socket of connecting) socket.destroy(closing)
  }
  return { connect, close }
}

const machineAddresses: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address)

/**
 * Not getaddrinfo: it holds one of four threads, so a few dead name servers would stop every other receiver.
 * A resolver is made for each name (35 µs), because it reads /etc/resolv.conf only when it is made.
 */
async function dnsAddresses(resolvers: Set<Resolver>, hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  resolvers.add(resolver)
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  resolvers.delete(resolver)
  const found = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** One inward address among the answers refuses all of them: an honest name has none. */
const publicOnly =
  (lookup: Lookup): Lookup =>
  async (hostname) => {
    const addresses = await lookup(hostname)
    if (!addresses.every(isPublicAddress)) throw refusal(hostname)
    return addresses
  }

function asNetLookup(lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first) callback(dnsFailure(hostname, 'no address'), '')
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error instanceof Failure ? error : dnsFailure(hostname, detailOf(error)), ''),
    )
  }
}
