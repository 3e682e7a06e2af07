// Sending a human to a provider: for a new account, or to authorize one again.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { conflict, invalid } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import type { OauthProvider } from '../providers/oauthProvider.ts'
import type { Capability } from '../providers/rules.ts'
import { newId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { disconnected } from './connections.ts'
import { beginLink } from './linkWrites.ts'
import { authorizationUrl, newOauthSecrets } from './oauth.ts'
import { insertState } from './oauthStates.ts'
import { requireOauth } from './providers.ts'
import { activeConnections, type ConnectionRow } from './queries.ts'
import { inOrder } from './rules.ts'
import type { ReauthorizeBody, StartOauthBody } from './schema.ts'
import { type SetupLink, setupLinkOf } from './setupPage.ts'

/** The one address that a provider leads back to. */
export const redirectUrlOf = ({ config }: App, { name }: Pick<OauthProvider, 'name'>): string =>
  `${config.baseUrl}/v1/calendar-connections/oauth/${name}/callback`

/** Refused if no connection more is allowed: the human would come back for nothing. */
export async function startOauth(app: App, actor: Actor, name: string, body: StartOauthBody) {
  const { oauth } = requireOauth(app, name, actor.orgId)
  const link = body.setup_link_id === undefined ? undefined : await setupLinkOf(app, actor, body.setup_link_id, body)
  const capabilities = body.capabilities ?? link?.row.capabilities ?? ['availability']
  return withinCap(app, actor, 'calendar_connections', activeConnections(app.sql, actor.orgId), async (guard) => {
    const { effects, answer } = await begin(app, actor, oauth, { capabilities, link, connection: undefined })
    return commitOrAgain(app, { guard, effects }, answer)
  })
}

/** Requests the current scopes of the connection again, and the new ones. */
export async function reauthorizeOauth(app: App, actor: Actor, row: ConnectionRow, body: ReauthorizeBody) {
  const sent = body.password !== undefined ? 'password' : body.username !== undefined ? 'username' : undefined
  if (sent) throw invalid(`${sent}: only CalDAV accounts have one here.`, sent)
  if (row.status === 'disconnected') throw disconnected()
  const { oauth } = requireOauth(app, row.provider, actor.orgId)
  const capabilities = inOrder([...row.capabilities, ...(body.capabilities ?? [])])
  const guard = app.sql`select ${row.orgId}::uuid as org_id`
  const { effects, answer } = await begin(app, actor, oauth, { capabilities, link: undefined, connection: row })
  await commit(app, { guard, effects })
  return answer
}

type Journey = {
  capabilities: readonly Capability[]
  link: SetupLink | undefined
  connection: ConnectionRow | undefined
}

async function begin(app: App, actor: Actor, oauth: OauthProvider, { capabilities, link, connection }: Journey) {
  // An account at a provider belongs to a human, and these have sessions.
  if (actor.sessionId === undefined) throw conflict('Only a signed-in human can be sent to a provider.')
  const secrets = newOauthSecrets()
  const url = await authorizationUrl(oauth, redirectUrlOf(app, oauth), oauth.scopesOf(capabilities), secrets)
  const answer = { authorization_url: url }
  const now = app.clock.now()
  const state = {
    orgId: actor.orgId,
    id: newId(),
    sessionId: actor.sessionId,
    provider: oauth.name,
    capabilities: inOrder(capabilities),
    linkId: link?.row.id ?? null,
    connectionId: connection?.id ?? null,
    createdAt: now,
  }
  const effects = [
    insertState(app, state, secrets),
    link && beginLink(app.sql, link.row, null, now),
    storeResponse(app, actor, answer, { made: [url] }),
  ]
  return { effects, answer }
}
