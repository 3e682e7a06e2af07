// Which web pages may use the endpoint, and under which names it may be reached: a page of another site must not use the
// server of its visitor (DNS rebinding).
import type { Config } from '../../../src/config.ts'
import { isLoopback } from '../../../src/outbound/loopback.ts'
import type { HeaderList } from '../../http/headerList.ts'
import { Refusal } from './refusal.ts'

type Allowed = Pick<Config, 'baseUrl' | 'mcpAllowedOrigins'>

const isOfThisMachine = ({ baseUrl }: Allowed): boolean => isLoopback(new URL(baseUrl).hostname)

/** Throws 403 for an `Origin` that is not allowed. Undefined: no browser sent the request. */
export function requireAllowedOrigin(config: Allowed, origin: string | undefined): void {
  if (origin !== undefined && !isAllowedOrigin(config, origin)) {
    throw new Refusal(403, 'This Origin is not allowed. The operator lists allowed ones in MCP_ALLOWED_ORIGINS.')
  }
}

function isAllowedOrigin(config: Allowed, origin: string): boolean {
  const url = URL.parse(origin)
  if (!url || url.origin === 'null' || url.origin !== origin.toLowerCase()) return false
  if (url.origin === new URL(config.baseUrl).origin || config.mcpAllowedOrigins.includes(url.origin)) return true
  return isOfThisMachine(config) && isLoopback(url.hostname)
}

/** As a client writes it. A URL would also accept a user name before it, or a path after it. */
const ownHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Throws 403 if a service of this machine is called by another name. */
export function requireOwnHost(config: Allowed, host: string | undefined): void {
  if (!isOfThisMachine(config)) return
  if (!ownHost.test(host ?? '')) {
    throw new Refusal(403, 'This Host is not allowed. Call the service as localhost, 127.0.0.1 or [::1].')
  }
}

const allowedHeaders = 'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name'
const exposedHeaders =
  'X-Request-Id, RateLimit-Policy, RateLimit, Service-Terms-Upgrade-Required, Retry-After, WWW-Authenticate'

/** For a page whose origin is allowed. */
export const corsHeaders = (origin: string): HeaderList => [
  ...['Access-Control-Allow-Origin', origin],
  ...['Access-Control-Allow-Methods', 'POST'],
  ...['Access-Control-Allow-Headers', allowedHeaders],
  ...['Access-Control-Expose-Headers', exposedHeaders],
  ...['Vary', 'Origin'],
]
