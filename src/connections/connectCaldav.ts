// Connects a CalDAV account, and authorizes it again. The caller gets the outcome only, never an answer of the server.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { conflict, invalid, overloaded, providerFailed } from '../errors.ts'
import { checkSentTarget } from '../outbound/addresses.ts'
import { accountName, type CaldavServer, type Discovered, discover, rediscover } from '../providers/caldavDiscovery.ts'
import { providerHttp } from '../providers/requests.ts'
import { refuseExcess, throttle } from '../quotas/throttle.ts'
import { minuteMs } from '../shapes/durations.ts'
import { connectAccount, connectionOf, type Detail, type FoundAccount, reauthorize } from './connectAccount.ts'
import { disconnected } from './connections.ts'
import { providerOf } from './providers.ts'
import type { ConnectionRow } from './queries.ts'
import type { ConnectCaldavBody, ReauthorizeBody } from './schema.ts'
import { labelContext, serverContext } from './sealed.ts'
import { setupLinkOf } from './setupPage.ts'

const perOrganization = { name: 'caldav_connect', max: 10, windowMs: minuteMs }
/** Of one host, whatever the user name: a password is not to be guessed from here. */
const perHost = { name: 'caldav_refused', max: 5, windowMs: 15 * minuteMs }

const refusedInward =
  'the address of a CalDAV server was refused: it is not public, or plain http, and not in OUTBOUND_TRUSTED_HOSTS'

type Login = { username: string; password: string }

/** `isNew`: false if the account was connected before; then that connection has been authorized again. */
export async function connectCaldav(app: App, actor: Actor, body: ConnectCaldavBody) {
  const target = checkSentTarget(body.server_url, app.config.trustedHosts)
  if (!target.ok) {
    // The address is the human's own, so the log does not name it.
    if (target.plain !== target.reason) app.log.info(refusedInward)
    throw invalid(`server_url: ${target.plain}`, 'server_url')
  }
  const link = body.setup_link_id === undefined ? undefined : await setupLinkOf(app, actor, body.setup_link_id, body)
  await throttle(app, perOrganization, actor.orgId)
  const login = { username: body.username, password: body.password }
  const { href } = target.url
  const account = await reach(app, actor, login, {
    hostname: target.url.hostname,
    find: () => discover(doorOf(app, actor), href, login),
  })
  const capabilities = body.capabilities ?? link?.row.capabilities ?? ['availability']
  const timezone = body.timezone ?? link?.timezone ?? 'UTC'
  return connectAccount(app, actor, account, { capabilities, timezone, link })
}

const doorOf = (app: App, actor: Actor) => ({ http: providerHttp(app, 'caldav'), reader: app.foreign.of(actor.orgId) })

type Way = { hostname: string; find(): Promise<Discovered> }

/** The account and its calendars. Throws errors that the human can fix. */
async function reach(app: App, actor: Actor, login: Login, { hostname, find }: Way): Promise<FoundAccount> {
  const subject = `${actor.orgId} ${hostname}`
  await refuseExcess(app, perHost, subject)
  const refuse = async () => {
    await throttle(app, perHost, subject)
    return invalid('password: the server refuses this user name and password.', 'password', 'credentials_rejected')
  }
  const found = await find()
  switch (found.kind) {
    case 'unauthorized':
      throw await refuse()
    case 'no_caldav':
      throw invalid('server_url: there is no CalDAV server at this address that can be used.', 'server_url')
    case 'other_account':
      throw otherAccount()
    case 'unreachable':
      throw providerFailed('The calendar server could not be reached, or failed. Try again later.')
    case 'closed':
      throw overloaded('The service is restarting. Nothing was changed; try again.')
  }
  const account = { credentials: JSON.stringify(login), server: JSON.stringify(found.server) }
  const listed = await providerOf(app, 'caldav', actor.orgId)!.listCalendars(account)
  switch (listed.kind) {
    case 'listed':
      return {
        provider: 'caldav',
        name: accountName(found.server),
        label: login.username,
        ...account,
        calendars: listed.calendars,
        granted: null,
      }
    case 'refused':
      throw await refuse()
    case 'closed':
      throw overloaded('The service is restarting. Nothing was changed; try again.')
    case 'failed':
      throw listed.category === 'malformed' || listed.category === 'not_found' || listed.category === 'forbidden'
        ? invalid('server_url: there is no CalDAV server at this address that can be used.', 'server_url')
        : providerFailed(listed.message)
  }
}

/** Only the account that it is a connection of. */
export async function reauthorizeCaldav(app: App, actor: Actor, row: ConnectionRow, body: ReauthorizeBody) {
  if (row.status === 'disconnected' || !row.serverSealed) throw disconnected()
  if (body.capabilities !== undefined) throw invalid('capabilities: only OAuth providers take them.', 'capabilities')
  if (body.password === undefined) throw invalid('password: is required for a CalDAV account.', 'password')
  await throttle(app, perOrganization, actor.orgId)
  const server = JSON.parse(app.sealer.unseal(serverContext(row.id), row.serverSealed)) as CaldavServer
  const label = row.labelSealed && app.sealer.unseal(labelContext(row.id), row.labelSealed)
  const login = { username: body.username ?? label ?? '', password: body.password }
  const account = await reach(app, actor, login, {
    hostname: new URL(server.principal).hostname,
    find: () => rediscover(doorOf(app, actor), server, login),
  })
  const known = await connectionOf(app, actor, account)
  if (known?.id !== row.id) throw otherAccount()
  const stateOf = ({ id: shownId, status }: Detail) => ({ id: shownId, status })
  return stateOf(await reauthorize(app, actor, row, account, [], stateOf))
}

const otherAccount = () =>
  conflict('This is not the account of the connection. Nothing was changed.', 'account_mismatch')
