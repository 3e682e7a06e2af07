// The stored form of an approval: the request as it was sent, and its description.
import type { App } from '../app.ts'
import { sha256 } from '../sealing/sealer.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Change } from './describe.ts'
import type { ApprovalRow } from './queries.ts'
import type { ApprovalRecord } from './schema.ts'
import { requestContext, resultContext } from './sealed.ts'
import type { SubjectIds } from './subject.ts'

/** A request as its door took it: one of REST, or the call of a tool. */
export type StoredRequest =
  | {
      door: 'rest'
      operation: string
      method: string
      path: string
      params: unknown
      query: Record<string, unknown>
      body: unknown
      ifMatch: string | undefined
    }
  | {
      door: 'mcp'
      method: string
      path: string
      tool: string
      /** As the tool read it: its arguments, its context and its input. */
      call: string
    }

/** `fields`: of the query and of the body. */
export type AskedRequest = {
  action: string
  fields: Readonly<Record<string, unknown>>
  ids: SubjectIds
  request: StoredRequest
}

type Kept = AskedRequest & { summary: string; changes: readonly Change[]; zone: string }

export type Result = { reason?: string | undefined; result?: { status: number; body: unknown } }

export function sealRequest({ sealer }: App, id: Uuid, kept: Kept): { sealed: Buffer; hash: Buffer } {
  const text = JSON.stringify(kept)
  return { sealed: sealer.seal(requestContext(id), text), hash: sha256(text) }
}

/** Throws if it differs from the request that was shown. */
export function openRequest({ sealer }: App, { id, requestSealed, requestHash }: ApprovalRow): Kept {
  const text = sealer.unseal(requestContext(id), requestSealed)
  if (!sha256(text).equals(requestHash)) throw new Error('the stored request differs from the one that was shown')
  return JSON.parse(text)
}

export const sealResult = ({ sealer }: App, id: Uuid, result: Result): Buffer =>
  sealer.seal(resultContext(id), JSON.stringify(result))

/** A pending approval whose time is up reads as expired, whether or not its timer has fired. */
export const statusAt = ({ status, expiresAt }: Pick<ApprovalRow, 'status' | 'expiresAt'>, now: Date) =>
  status === 'pending' && expiresAt <= now ? 'expired' : status

export const addressOf = ({ config }: App, token: string): string => `${config.baseUrl}/approve/${token}`

export function presentApproval(app: App, row: ApprovalRow, now: Date): ApprovalRecord {
  const { summary, changes } = openRequest(app, row)
  const opened: Result = row.resultSealed ? JSON.parse(app.sealer.unseal(resultContext(row.id), row.resultSealed)) : {}
  const id = encodeId('apr', row.id)
  const status = statusAt(row, now)
  return {
    id,
    status,
    summary,
    action: row.action,
    agent_id: encodeId('agt', row.agentId),
    calendar_id: row.calendarId && encodeId('cal', row.calendarId),
    key_prefix: row.keyPrefix,
    approver: row.approver,
    changes: [...changes],
    created_at: isoTime(row.createdAt),
    expires_at: isoTime(row.expiresAt),
    decided_at: status === 'expired' ? null : isoTimeOrNull(row.decidedAt),
    reason: opened.reason ?? null,
    result: opened.result ?? null,
    ...(row.approver === 'session' && { url: addressOf(app, id) }),
  }
}

/** An approval as it is stored. */
export type StoredApproval = ApprovalRow
