// Changes the tokens of an account, of an active connection or of a removed one that still withdraws copies. A writer of new
// tokens has seen the old ones: the version is compared.

import type { Uuid } from '../shapes/ids.ts'
import { leaseEnd } from '../stores/claims.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import type { ConnectionKey } from './queries.ts'

/** `isDeparting`: the connection was removed. */
export type TokenKey = ConnectionKey & { isDeparting?: boolean }

const about = <Row extends { orgId: Uuid; id: Uuid }>(sql: Sql, { orgId, id }: ConnectionKey) =>
  answersTo<Row>(sql, (row) => row.orgId === orgId && row.id === id)

const tableOf = (sql: Sql, { isDeparting }: TokenKey): Fragment =>
  isDeparting ? sql`departing_connections` : sql`calendar_connections`

/** Claims the tokens of this version for a renewal; a renewal that never ends is over after `leaseMs`. */
export const claimRenewal = (sql: Sql, key: TokenKey, version: number, leaseMs: number) =>
  about(sql, key)`
  update ${tableOf(sql, key)}
  set renewing_until = ${leaseEnd(sql, leaseMs)}
  where org_id = ${key.orgId} and id = ${key.id} and credentials_version = ${version}
    and (renewing_until is null or renewing_until <= app_now())
  returning org_id, id`

/** A refresh token that was exchanged for another one is stored with the access token that came with it. */
export const storeTokens = (sql: Sql, key: TokenKey, version: number, credentialsSealed: Buffer) =>
  about(sql, key)`
  with stored as (
    update ${tableOf(sql, key)}
    set credentials_sealed = ${credentialsSealed}, credentials_version = credentials_version + 1, renewing_until = null
    where org_id = ${key.orgId} and id = ${key.id} and credentials_version = ${version} and credentials_sealed is not null
    returning org_id, id
  )
  ${key.isDeparting ? alsoToRevoke(sql, credentialsSealed) : sql``}
  select org_id, id from stored`

/** The refresh token that will be revoked is the latest one. */
const alsoToRevoke = (sql: Sql, credentialsSealed: Buffer): Fragment => sql`, revoked as (
    update connection_revocations r
    set credentials_sealed = ${credentialsSealed}
    from stored
    where r.org_id = stored.org_id and r.id = stored.id
  )`

export const endRenewal = (sql: Sql, key: TokenKey, version: number) => sql`
  update ${tableOf(sql, key)}
  set renewing_until = null
  where org_id = ${key.orgId} and id = ${key.id} and credentials_version = ${version}`

type TokenRow = ConnectionKey & { credentialsSealed: Buffer | null; credentialsVersion: number; isRenewing: boolean }

export const tokensNow = (sql: Sql, key: TokenKey) =>
  about<TokenRow>(sql, key)`
  select org_id, id, credentials_sealed, credentials_version, coalesce(renewing_until > app_now(), false) as is_renewing
  from ${tableOf(sql, key)}
  where org_id = ${key.orgId} and id = ${key.id}`
