// Which addresses outbound HTTP may reach: an allow-list of public ranges, and the check of an address typed by a user.
// Pure. `http.ts` checks again at every connection, so a name that later points to a private address is refused then.
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `plain`: the reason for somebody who typed the address and does not run this service. */
type TargetCheck = { ok: true; url: URL } | { ok: false; reason: string; plain: string }

interface TargetOptions {
  /** Keeps `user:password@`, which calendar feeds use; without this such an address is refused. */
  credentials?: boolean
}

const maxLength = 2048

/** Suffixes that no public name server answers for; names of a single label are refused, too. */
const inwardName =
  /^[^.]+$|(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan)$|(^|\.)home\.arpa$/

/** Azure serves metadata and agents at this address, in the middle of public space. */
const azureHost = '168.63.129.16'

/** 64:ff9b::/96 (RFC 6052): the last 32 bits are the IPv4 address that the network's translator will reach. */
const nat64 = ipaddr.IPv6.parse('64:ff9b::')
const globalUnicast = ipaddr.IPv6.parse('2000::')

/** `ip` is what `net.isIP` accepts: any other spelling, and any with a zone, is not public. */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return ipaddr.IPv4.parse(ip).range() === 'unicast' && ip !== azureHost
  if (!isIPv6(ip) || ip.includes('%')) return false
  const address = parseIPv6(ip)
  const embedded = embeddedIPv4(address)
  if (embedded) return isPublicAddress(embedded)
  // Both tests: `unicast` alone includes unassigned space, 2000::/3 alone includes 6to4, Teredo and documentation.
  return address.match(globalUnicast, 3) && address.range() === 'unicast' && !isIsatap(address)
}

/** Written in hexadecimal first: ipaddr.js reads `::8.8.8.8` as if it were `::ffff:8.8.8.8`. */
const parseIPv6 = (ip: string): ipaddr.IPv6 =>
  ipaddr.IPv6.parse(ip.includes('.') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip)

/** The subject of a limit per client: the address itself, or the /64 of an IPv6 address, which one host may use whole. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}

/** An address, or a network of addresses that is not all of them. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  if (more.length > 0 || address.includes('%') || !(isIPv4(address) || isIPv6(address))) return false
  if (bits === undefined) return true
  const isV4 = isIPv4(address)
  // ::ffff:0:0/96 is every IPv4 address.
  const least = !isV4 && ipaddr.IPv6.parse(address).isIPv4MappedAddress() ? 97 : 1
  return /^\d{1,3}$/.test(bits) && Number(bits) >= least && Number(bits) <= (isV4 ? 32 : 128)
}

/** The addresses that share their first `bits`. */
type Network = { address: ipaddr.IPv4 | ipaddr.IPv6; bits: number }

/** Undefined unless it is an address, or a network whose other bits are zero. IPv4 within IPv6 is IPv4. */
export function parseNetwork(text: string): Network | undefined {
  const [, written = '', length] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  if (!isIPv4(written) && !isIPv6(written)) return undefined
  const address = isIPv4(written) ? ipaddr.IPv4.parse(written) : parseIPv6(written)
  const bytes = address.toByteArray()
  const bits = length === undefined ? bytes.length * 8 : Number(length)
  const isClear = bytes.every((byte, at) => (byte & (0xff >> Math.min(8, Math.max(0, bits - at * 8)))) === 0)
  if (bits > bytes.length * 8 || !isClear) return undefined
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return isMapped ? { address: address.toIPv4Address(), bits: bits - 96 } : { address, bits }
}

/** `ip`: of a client, with or without a zone. */
export function isIn(networks: readonly Network[], ip: string): boolean {
  const client = parseNetwork(ip.replace(/%.*$/, ''))?.address
  if (!client) return false
  // A network of the other family never matches; `match` would throw.
  return networks.some(({ address, bits }) => address.kind() === client.kind() && client.match(address, bits))
}

/** The host of a URL by which this machine reaches a listener on `host`; undefined: it listens on all addresses. */
export function reachableHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

function embeddedIPv4(address: ipaddr.IPv6): string | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  if (address.match(nat64, 96)) return address.toByteArray().slice(12).join('.')
  return undefined
}

/** RFC 5214: `…:0:5efe:a.b.c.d` under any prefix is a tunnel to the IPv4 address at its end. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe
}

/**
 * Entries of `trustedHosts` are `host` (any port) or `host:port`, lower case, as WHATWG `URL` writes them; an IPv6
 * address may stand without brackets.
 */
export function isTrustedHost(trustedHosts: readonly string[], hostname: string, port: string): boolean {
  if (trustedHosts.length === 0) return false
  const bare = hostname.replace(/^\[|\]$/g, '')
  const host = isIPv6(bare) ? `[${bare}]` : bare
  return trustedHosts.some((entry) => entry === bare || entry === host || entry === `${host}:${port}`)
}

const inDevelopment = 'In development, name its host in OUTBOUND_TRUSTED_HOSTS where the service is started.'
const mustBeHttps = 'The address must start with https://.'
const mustBePublic = (hostname: string) => `The address must be on the public internet; ${hostname} is not.`
const askForAnother = 'Ask the operator of that server for an address that can be reached from outside.'

/** The URL to use (without fragment and trailing dot), or a sentence that names its fault. */
export function checkTarget(rawUrl: string, trustedHosts: readonly string[], options: TargetOptions = {}): TargetCheck {
  if (rawUrl.length > maxLength) return refuse(`The address is longer than ${maxLength} characters.`)
  const url = URL.parse(rawUrl)
  if (!url) return refuse('The address is not a valid URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse(mustBeHttps)
  if (!options.credentials && (url.username || url.password)) {
    return refuse('The address must not contain a user name or password.')
  }
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (isTrustedHost(trustedHosts, url.hostname, portOf(url))) return { ok: true, url }
  if (url.protocol !== 'https:') return refuse(`${mustBeHttps} ${inDevelopment}`, mustBeHttps)
  return isPublicHost(url.hostname)
    ? { ok: true, url }
    : refuse(`${mustBePublic(url.hostname)} ${inDevelopment}`, `${mustBePublic(url.hostname)} ${askForAnother}`)
}

/** Invisible characters that URL parsers drop or keep: control, zero-width, and changes of writing direction. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** `checkTarget` for an address from a client. It is shown in the client's spelling, so it must not look like another one. */
export function checkSentTarget(rawUrl: string, trustedHosts: readonly string[], options?: TargetOptions): TargetCheck {
  return unseen.test(rawUrl)
    ? refuse('The address must not contain control characters or invisible ones. Percent-encode them.')
    : checkTarget(rawUrl, trustedHosts, options)
}

/** The port that a connection to this URL uses. */
function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

/** An IP address is classified. Of a name only the spelling is checked; its addresses are checked at every connection. */
function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicAddress(hostname.slice(1, -1))
  return isIPv4(hostname) ? isPublicAddress(hostname) : !inwardName.test(hostname)
}

const refuse = (reason: string, plain = reason): TargetCheck => ({ ok: false, reason, plain })
