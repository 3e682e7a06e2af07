// The only way out of the service. Whatever the other side does is an Outcome, never a throw; one deadline covers name,
// connection, TLS, headers and body; a connection is made only to an address that was checked for this very connection.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { checkTarget, isPublicAddress, isTrustedHost } from './addresses.ts'
import { type Lookup, openLookup } from './lookup.ts'
