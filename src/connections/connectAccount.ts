// Storing an account that was authorized: as a new connection, or as the one that it has been before. One account is one
// connection, so the identifiers, the calendars and the grants of a known one stay.
import { type Actor, answeredWith } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { again, decide } from '../commit/decide.ts'
import { conflict } from '../errors.ts'
import { resumePublications } from '../externalCopies/writes.ts'
import { withinCap } from '../organizations/caps.ts'
import type { RemoteCalendar } from '../providers/provider.ts'
import type { Capability, ProviderName } from '../providers/rules.ts'
import { recorded } from '../recording/recorded.ts'
import { encodeId, newId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { emit } from '../webhooks/emit.ts'
import { listedRows } from './calendarList.ts'
import { replaceCalendars } from './calendarWrites.ts'
import { wakeAll } from './connections.ts'
import { consentEffect } from './consent.ts'
import { digestsFor } from './digests.ts'
import { beginLink } from './linkWrites.ts'
import { presentDetail } from './present.ts'
import { activeConnections, type ConnectionRow, calendarsOf, connectionById, connectionOfAccount } from './queries.ts'
import { inOrder, statusAfter } from './rules.ts'
import { credentialsContext, labelContext, serverContext } from './sealed.ts'
import type { SetupLink } from './setupPage.ts'
import { sourcesTold } from './told.ts'
import { type Authorized, insertConnection, reauthorizeGuard } from './writes.ts'

/** `name` is that of the account within its provider; `granted`: the scopes that the human allowed, null for all. */
export type FoundAccount = {
  provider: ProviderName
  name: string
  label: string | null
  credentials: string
  server: string | null
  calendars: RemoteCalendar[]
  granted: Capability[] | null
}

type Wish = { capabilities: readonly Capability[]; timezone: string; link: SetupLink | undefined }

async function digestOf(app: App, actor: Actor, { name }: Pick<FoundAccount, 'name'>): Promise<Buffer> {
  const digests = await digestsFor(app, actor)
  return Buffer.from(digests('account', name), 'hex')
}

type AccountName = Pick<FoundAccount, 'provider' | 'name'>

/** The connection that this account has in the organization. */
export const connectionOf = async (app: App, actor: Actor, account: AccountName): Promise<ConnectionRow | undefined> =>
  (await connectionOfAccount(app.sql, actor.orgId, account.provider, await digestOf(app, actor, account)))[0]

const allowed = (capabilities: readonly Capability[], { granted }: FoundAccount): Capability[] =>
  inOrder(capabilities).filter((name) => granted === null || granted.includes(name))

/** `isNew`: false if the account was connected before; then that connection has been authorized again. */
export async function connectAccount(app: App, actor: Actor, account: FoundAccount, wish: Wish) {
  const digests = await digestsFor(app, actor)
  const digest = await digestOf(app, actor, account)
  const known = async () => (await connectionOfAccount(app.sql, actor.orgId, account.provider, digest))[0]
  const connectNew = () => {
    const id = newId()
    return withinCap(app, actor, 'calendar_connections', activeConnections(app.sql, actor.orgId), async (guard) => {
      // Another request was faster.
      if (await known()) return false
      const now = app.clock.now()
      const row: Authorized = {
        ...sealedAccount(app, id, account),
        orgId: actor.orgId,
        id,
        provider: account.provider,
        accountDigest: digest,
        capabilities: allowed(wish.capabilities, account),
        granted: account.granted,
        status: 'active',
        reauthorizationReason: null,
        timezone: wish.timezone,
        madeByLink: wish.link?.row.id ?? null,
        memberId: actor.member?.id ?? null,
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
      return commitOrAgain(
        app,
        {
          guard,
          effects: [
            insertConnection(app.sql, row),
            ...replaceCalendars(app.sql, row, calendars, now),
            consentEffect(app, actor, id, row.capabilities, []),
            wish.link && beginLink(app.sql, wish.link.row, id, now),
            ...recorded(app, actor, {
              action: 'org.update',
              resource: encodeId('con', id),
              response: detail,
              created: [detail.id, ...detail.calendars.map(({ id }) => id)],
            }),
          ],
        },
        true,
      )
    })
  }
  const isNew = (await known()) === undefined && (await connectNew())
  const detail = isNew ? undefined : await renew(app, actor, account, known, wish, (shown) => shown)
  if (detail) return { isNew: false, detail }
  const row = (await known())!
  return { isNew: true, detail: presentDetail(app, row, await calendarsOf(app.sql, row.orgId, row.id)) }
}

const sealedAccount = ({ sealer }: App, id: ConnectionRow['id'], { label, credentials, server }: FoundAccount) => ({
  labelSealed: label === null ? null : sealer.seal(labelContext(id), label),
  credentialsSealed: sealer.seal(credentialsContext(id), credentials),
  serverSealed: server === null ? null : sealer.seal(serverContext(id), server),
})

/** A row as it will be read, for the answer of the change that makes it. */
const rowOf = (row: Authorized): ConnectionRow => ({
  ...row,
  revision: 0,
  notified: 0,
  notifiedAt: null,
  claimedUntil: null,
  selectedCount: 0,
  credentialsVersion: 0,
})

const asRow = ({ orgId, id }: Authorized, calendar: ReturnType<typeof listedRows>[number]) => ({
  ...calendar,
  orgId,
  connectionId: id,
  isSelected: false,
  isGranted: false,
  isCut: false,
  hasUnread: false,
  lastAttemptedAt: null,
  lastReadAt: null,
  lastError: null,
  isRefused: false,
  coversFrom: null,
  coversUntil: null,
  cursorSealed: null,
  comparedAt: null,
  readWholeAt: null,
})

export type Detail = ReturnType<typeof presentDetail>

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
      capabilities: allowed([...before.capabilities, ...wish.capabilities], account),
      granted: account.granted,
      status: statusAfter(before.status, 'authorized') ?? ('active' as const),
      reauthorizationReason: null,
      // It is theirs who signed in to it last.
      memberId: actor.member?.id ?? before.memberId,
      lastAuthenticatedAt: now,
    }
    const calendars = listedRows(app, digests, account.calendars, known)
    const byId = new Map(known.map((one) => [one.id, one]))
    const shown = calendars.map((one) => ({ ...asRow(row, one), ...byId.get(one.id), ...one }))
    const detail = presentDetail(app, row, [
      ...shown,
      ...known.filter((one) => one.isSelected && !calendars.some(({ id }) => id === one.id)),
    ])
    const works = before.status !== 'active' && row.status === 'active'
    const told = works ? await sourcesTold(app, before.orgId, app.sql`select ${before.id}::uuid`, 'restored') : []
    const found = calendars.filter(({ id }) => !byId.has(id)).map(({ id }) => encodeId('xcl', id))
    const { matched } = await commit(app, {
      guard: reauthorizeGuard(app.sql, row, now),
      effects: [
        ...replaceCalendars(app.sql, row, calendars, now),
        ...(row.status === 'active' ? resumePublications(app.sql, row.orgId, row.id) : []),
        consentEffect(app, actor, row.id, row.capabilities, []),
        wish.link && beginLink(app.sql, wish.link.row, row.id, now),
        ...emit(app, byActor(actor), told),
        auditEntry(app, actor, 'org.update', detail.id),
        storeResponse(app, answeredWith(actor, 200), answerOf(detail), { made: found }),
      ],
    })
    if (!matched) return again
    if (row.status === 'active') await wakeAll(app, row, now)
    return detail
  })

/** Of a known connection, whose account was compared. */
export const reauthorize = (
  app: App,
  actor: Actor,
  { orgId, id }: ConnectionRow,
  account: FoundAccount,
  capabilities: readonly Capability[],
  answerOf: (detail: Detail) => unknown,
) => {
  const find = async () => (await connectionById(app.sql, orgId, id))[0]
  return renew(app, actor, account, find, { capabilities, link: undefined }, answerOf)
}
