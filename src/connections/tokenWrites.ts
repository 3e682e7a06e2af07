// What changes the tokens of an account. Whoever stores new ones has seen the old ones: the version is compared.
import type { Uuid } from '../shapes/ids.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Sql } from '../stores/postgres.ts'
import type { ConnectionKey } from './readWrites.ts'

const about = <Row extends { orgId: Uuid; id: Uuid }>(sql: Sql, { orgId, id }: ConnectionKey) =>
  answersTo<Row>(sql, (row) => row.orgId === orgId && row.id === id)

/** Takes the tokens of this version for whoever renews them; a renewal that never ends is over after `leaseMs`. */
export const claimRenewal = (sql: Sql, key: ConnectionKey, version: number, leaseMs: number) =>
  about(sql, key)`
  update calendar_connections
  set renewing_until = app_now() + ${leaseMs} * interval '1 millisecond'
  where org_id = ${key.orgId} and id = ${key.id} and credentials_version = ${version}
    and (renewing_until is null or renewing_until <= app_now())
  returning org_id, id`

/** A refresh token that was exchanged for another one is stored with the access token that came with it. */
export const storeTokens = (sql: Sql, key: ConnectionKey, version: number, credentialsSealed: Buffer) =>
  about(sql, key)`
  update calendar_connections
  set credentials_sealed = ${credentialsSealed}, credentials_version = credentials_version + 1, renewing_until = null
  where org_id = ${key.orgId} and id = ${key.id} and credentials_version = ${version} and credentials_sealed is not null
  returning org_id, id`

export const endRenewal = (sql: Sql, { orgId, id }: ConnectionKey, version: number) => sql`
  update calendar_connections
  set renewing_until = null
  where org_id = ${orgId} and id = ${id} and credentials_version = ${version}`

type TokenRow = ConnectionKey & { credentialsSealed: Buffer | null; credentialsVersion: number; isRenewing: boolean }

export const tokensNow = (sql: Sql, key: ConnectionKey) =>
  about<TokenRow>(sql, key)`
  select org_id, id, credentials_sealed, credentials_version, coalesce(renewing_until > app_now(), false) as is_renewing
  from calendar_connections
  where org_id = ${key.orgId} and id = ${key.id}`
