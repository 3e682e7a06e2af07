// Connecting a CalDAV account, and authorizing it again. Nothing of the server's answers reaches the caller, only what came of it.
import { type Actor, answeredWith } from '../actors/actor.ts'
import { answered } from '../answers/answered.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { commit } from '../changes/commit.ts'
import { again, decide } from '../changes/decide.ts'
import { conflict, invalid, overloaded, providerFailed } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { checkSentTarget } from '../outbound/addresses.ts'
import { resumePublications } from '../publications/writes.ts'
import { refuseExcess, throttle } from '../quotas/throttle.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId, newId } from '../shapes/ids.ts'
import { replaceCalendars } from './calendarWrites.ts'
import { disconnected, requireConnection, wakeAll } from './connections.ts'
import { consentEffect } from './consent.ts'
import { digestsFor } from './digests.ts'
import { beginLink } from './linkWrites.ts'
import { listedRows } from './listed.ts'
import { livingConnections } from './living.ts'
import { presentDetail } from './present.ts'
import { type CaldavServer, discover } from './providers/caldavDiscovery.ts'
import type { RemoteCalendar } from './providers/provider.ts'
import { providerOf } from './providers.ts'
import { type ConnectionRow, calendarsOf, connectionById, connectionOfAccount } from './queries.ts'
import { type Capability, inOrder, statusAfter } from './rules.ts'
import type { ConnectCaldavBody, ReauthorizeBody } from './schema.ts'
import { credentialsPlace, labelPlace, serverPlace } from './sealed.ts'
import { type SetupLink, setupLinkOf } from './setup.ts'
import { type Authorized, insertConnection, reauthorizeGuard } from './writes.ts'

const perOrganization = { name: 'caldav_connect', max: 10, windowMs: minuteMs }
/** Of one host, whatever the user name: a password is not to be guessed from here. */
const perHost = { name: 'caldav_refused', max: 5, windowMs: 15 * minuteMs }

type Login = { username: string; password: string }
type FoundAccount = { login: Login; server: CaldavServer; calendars: RemoteCalendar[] }

/** `isNew`: false if the account was connected before; then that connection is what was authorized. */
export async function connectCaldav(app: App, actor: Actor, body: ConnectCaldavBody) {
  const target = checkSentTarget(body.server_url, app.config.trustedHosts)
  if (!target.ok) throw invalid(`server_url: ${target.reason}`, 'server_url')
  const link = body.setup_link_id === undefined ? undefined : await setupLinkOf(app, actor, body.setup_link_id, body)
  await throttle(app, perOrganization, actor.orgId)
  const login = { username: body.username, password: body.password }
  const account = await reach(app, actor, target.url.href, login)
  const capabilities = body.capabilities ?? link?.row.capabilities ?? ['availability']
  const timezone = body.timezone ?? link?.timezone ?? 'UTC'
  return store(app, actor, account, { capabilities, timezone, link })
}

/** The account and its calendars. Throws what the human can do something about. */
async function reach(app: App, actor: Actor, address: string, login: Login): Promise<FoundAccount> {
  const subject = `${actor.orgId} ${new URL(address).hostname}`
  await refuseExcess(app, perHost, subject)
  const refuse = async () => {
    await throttle(app, perHost, subject)
    return invalid('password: the server refuses this user name and password.', 'password', 'credentials_rejected')
  }
  const found = await discover(app.http, address, login)
  switch (found.kind) {
    case 'unauthorized':
      throw await refuse()
    case 'no_caldav':
      throw invalid('server_url: there is no CalDAV server at this address that can be used.', 'server_url')
    case 'unreachable':
      throw providerFailed('The calendar server could not be reached, or failed. Try again later.')
    case 'closed':
      throw overloaded('The service is restarting. Nothing was changed; try again.')
  }
  const account = { credentials: JSON.stringify(login), server: JSON.stringify(found.server) }
  const listed = await providerOf(app, 'caldav')!.listCalendars(account)
  switch (listed.kind) {
    case 'listed':
      return { login, server: found.server, calendars: listed.calendars }
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

type Wish = { capabilities: readonly Capability[]; timezone: string; link: SetupLink | undefined }

async function store(app: App, actor: Actor, account: FoundAccount, wish: Wish) {
  const digests = await digestsFor(app, actor)
  const digest = Buffer.from(digests('account', accountName(account.server)), 'hex')
  const known = async () => (await connectionOfAccount(app.sql, actor.orgId, 'caldav', digest))[0]
  let isNew = (await known()) === undefined
  if (isNew) {
    const id = newId()
    await withinCap(app, actor, 'calendar_connections', livingConnections(app.sql, actor.orgId), async (guard) => {
      // Another request was faster.
      if (await known()) {
        isNew = false
        return { matched: true, rows: [] }
      }
      const now = app.clock.now()
      const row: Authorized = {
        ...sealedAccount(app, id, account),
        orgId: actor.orgId,
        id,
        provider: 'caldav',
        accountDigest: digest,
        capabilities: inOrder(wish.capabilities),
        status: 'active',
        reauthorizationReason: null,
        timezone: wish.timezone,
        madeByLink: wish.link?.row.id ?? null,
        lastAuthenticatedAt: now,
        brokenAt: null,
        createdAt: now,
      }
      const calendars = listedRows(app, digests, account.calendars, [])
      const detail = presentDetail(
        app,
        rowOf(row),
        calendars.map((one) => asRow(row, one)),
      )
      return commit(app, {
        guard,
        effects: [
          insertConnection(app.sql, row),
          ...replaceCalendars(app.sql, row, calendars, now),
          consentEffect(app, actor, id, row.capabilities, []),
          wish.link && beginLink(app.sql, wish.link.row, id, now),
          auditEntry(app, actor, 'org.update', encodeId('con', id)),
          answered(app, actor, detail, { made: [detail.id, ...detail.calendars.map(({ id }) => id)] }),
        ],
      })
    })
  }
  const detail = isNew ? undefined : await renew(app, actor, account, known, wish, (shown) => shown)
  if (detail) return { isNew: false, detail }
  const row = (await known())!
  return { isNew: true, detail: presentDetail(app, row, await calendarsOf(app.sql, row.orgId, row.id)) }
}

/** The account's name within its provider. */
const accountName = ({ origin, principal }: CaldavServer): string =>
  `${origin} ${new URL(principal).pathname.replace(/\/+$/, '')}`

const sealedAccount = ({ sealer }: App, id: ConnectionRow['id'], { login, server }: FoundAccount) => ({
  labelSealed: sealer.seal(labelPlace(id), login.username),
  credentialsSealed: sealer.seal(credentialsPlace(id), JSON.stringify(login)),
  serverSealed: sealer.seal(serverPlace(id), JSON.stringify(server)),
})

/** A row as it will be read, for the answer of the change that makes it. */
const rowOf = (row: Authorized): ConnectionRow => ({
  ...row,
  revision: 0,
  notified: 0,
  notifiedAt: null,
  leasedUntil: null,
  selectedCount: 0,
})

const asRow = ({ orgId, id }: Authorized, calendar: ReturnType<typeof listedRows>[number]) => ({
  ...calendar,
  orgId,
  connectionId: id,
  isSelected: false,
  isGranted: false,
  isCut: false,
  lastAttemptedAt: null,
  lastReadAt: null,
  lastError: null,
  coversFrom: null,
  coversUntil: null,
  cursorSealed: null,
  comparedAt: null,
  readWholeAt: null,
})

type Detail = ReturnType<typeof presentDetail>

/** Authorizes a known connection: its identifier, its calendars and its grants stay. */
const renew = (
  app: App,
  actor: Actor,
  account: FoundAccount,
  find: () => Promise<ConnectionRow | undefined>,
  wish: Pick<Wish, 'capabilities' | 'link'>,
  answerOf: (detail: Detail) => unknown,
) =>
  decide(app, { noun: 'connection', key: actor.orgId }, async () => {
    const before = await find()
    if (!before) throw conflict('This connection was removed in the meantime. Connect the account again.')
    const now = app.clock.now()
    const digests = await digestsFor(app, actor)
    const known = await calendarsOf(app.sql, before.orgId, before.id)
    const row = {
      ...before,
      ...sealedAccount(app, before.id, account),
      capabilities: inOrder([...before.capabilities, ...wish.capabilities]),
      status: statusAfter(before.status, 'authorized') ?? ('active' as const),
      reauthorizationReason: null,
      lastAuthenticatedAt: now,
    }
    const calendars = listedRows(app, digests, account.calendars, known)
    const byId = new Map(known.map((one) => [one.id, one]))
    const shown = calendars.map((one) => ({ ...asRow(row, one), ...byId.get(one.id), ...one }))
    const detail = presentDetail(app, row, [
      ...shown,
      ...known.filter((one) => one.isSelected && !calendars.some(({ id }) => id === one.id)),
    ])
    const found = calendars.filter(({ id }) => !byId.has(id)).map(({ id }) => encodeId('xcl', id))
    const { matched } = await commit(app, {
      guard: reauthorizeGuard(app.sql, row, now),
      effects: [
        ...replaceCalendars(app.sql, row, calendars, now),
        ...(row.status === 'active' ? resumePublications(app.sql, row.orgId, row.id) : []),
        consentEffect(app, actor, row.id, row.capabilities, []),
        wish.link && beginLink(app.sql, wish.link.row, row.id, now),
        auditEntry(app, actor, 'org.update', detail.id),
        answered(app, answeredWith(actor, 200), answerOf(detail), { made: found }),
      ],
    })
    if (!matched) return again
    if (row.status === 'active') await wakeAll(app, row, now)
    return detail
  })

/** Only the account that it is a connection of. */
export async function reauthorizeCaldav(app: App, actor: Actor, id: string, body: ReauthorizeBody) {
  const row = await requireConnection(app, actor, id)
  if (row.status === 'disconnected' || !row.serverSealed) throw disconnected()
  if (body.capabilities !== undefined) throw invalid('capabilities: only OAuth providers take them.', 'capabilities')
  if (body.password === undefined) throw invalid('password: is required for a CalDAV account.', 'password')
  await throttle(app, perOrganization, actor.orgId)
  const server = JSON.parse(app.sealer.unseal(serverPlace(row.id), row.serverSealed)) as CaldavServer
  const label = row.labelSealed && app.sealer.unseal(labelPlace(row.id), row.labelSealed)
  const login = { username: body.username ?? label ?? '', password: body.password }
  const account = await reach(app, actor, server.principal, login)
  const digests = await digestsFor(app, actor)
  if (!Buffer.from(digests('account', accountName(account.server)), 'hex').equals(row.accountDigest)) {
    throw conflict('This is another account than that of the connection. Nothing was changed.', 'account_mismatch')
  }
  const find = async () => (await connectionById(app.sql, row.orgId, row.id))[0]
  const stateOf = ({ id: shownId, status }: Detail) => ({ id: shownId, status })
  return stateOf(await renew(app, actor, account, find, { capabilities: [], link: undefined }, stateOf))
}
