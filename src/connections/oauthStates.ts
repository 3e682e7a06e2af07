// The state of a human who has been sent to a provider: the digest of the returned state finds the row, once.
import type { App } from '../app.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { OauthProviderName } from '../providers/oauthProvider.ts'
import type { Capability } from '../providers/rules.ts'
import { sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import { texts } from '../stores/sql.ts'
import { stateContext } from './sealed.ts'

const stateMs = 10 * minuteMs

/** `linkId`: the link that the account is connected for. `connectionId`: the connection that is authorized again. */
type OauthState = {
  orgId: Uuid
  id: Uuid
  sessionId: Uuid
  provider: OauthProviderName
  capabilities: Capability[]
  linkId: Uuid | null
  connectionId: Uuid | null
  createdAt: Date
}

type Secrets = { state: string; nonce: string; verifier: string }

export function insertState({ sql, sealer }: App, row: OauthState, { state, ...kept }: Secrets): Effect {
  const sealed = sealer.seal(stateContext(row.id), JSON.stringify(kept))
  return effect(
    'oauth_state',
    sql`
    insert into connection_states (
      org_id, id, state_digest, session_id, provider, capabilities, link_id, connection_id, secrets_sealed, created_at)
    select
      ${row.orgId}::uuid, ${row.id}::uuid, ${sha256(state)}::bytea, ${row.sessionId}::uuid, ${row.provider}::text,
      ${texts(sql, row.capabilities)}, ${row.linkId}::uuid, ${row.connectionId}::uuid, ${sealed}::bytea,
      ${row.createdAt}::timestamptz
    from ${guard}`,
  )
}

type Traveller = { sessionId: Uuid; provider: OauthProviderName; state: string }

/** Takes the row away: it is good once, for ten minutes, for the session that it was made for. */
export async function takeState({ sql, sealer, clock }: App, { sessionId, provider, state }: Traveller) {
  const digest = sha256(state)
  const [row] = await answersTo<OauthState & { secretsSealed: Buffer }>(
    sql,
    (one) => one.sessionId === sessionId && one.provider === provider,
  )`
  delete from connection_states
  where state_digest = ${digest} and session_id = ${sessionId} and provider = ${provider}
  returning org_id, id, session_id, provider, capabilities, link_id, connection_id, created_at, secrets_sealed`
  if (!row || clock.now().getTime() - row.createdAt.getTime() > stateMs) return undefined
  const { nonce, verifier } = JSON.parse(sealer.unseal(stateContext(row.id), row.secretsSealed)) as Secrets
  return { ...row, secrets: { state, nonce, verifier } }
}

export const purgeStates = (sql: Sql, now: Date) => sql`
  delete from connection_states
  where created_at < ${new Date(now.getTime() - stateMs)}`
