// Asks a person for a change: nothing of it happens, and no time is reserved.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { auditEntry } from '../audit/record.ts'
import { byActor } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { ServiceError } from '../errors.ts'
import { askingKeyGuard, maxPending } from '../keys/writes.ts'
import { sendAllLater } from '../mails/mails.ts'
import { approvalMail } from '../mails/texts.ts'
import { addressesOfOwners } from '../organizations/organizations.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import { decodeId, newId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import { setTimers } from '../timers/writes.ts'
import { emit } from '../webhooks/emit.ts'
import { describeRequest } from './describe.ts'
import type { ApprovalRow } from './queries.ts'
import { type AskedRequest, addressOf, presentApproval, sealRequest } from './stored.ts'
import { readSubject } from './subject.ts'
import { insertApproval } from './writes.ts'

/** 192 bits. */
const tokenBytes = 24

/** Returns the body of the answer, which never has the mailed address: that is not for the key. */
export async function requestApproval(app: App, actor: Actor, asked: AskedRequest) {
  const { orgId, keyId, guardrails } = actor
  const { approver, expires_in_minutes } = guardrails!.approval!
  const validForMs = expires_in_minutes * minuteMs
  const token = approver === 'link' ? randomToken(tokenBytes) : undefined
  const row = await rowOf(app, actor, asked, { token, validForMs })
  const { url, ...record } = presentApproval(app, row, row.createdAt)
  const { id, status, summary, expires_at } = record
  const answer = { approval: { id, status, summary, expires_at, ...(url !== undefined && { url }) } }
  const address = token === undefined ? undefined : addressOf(app, token)
  const payload = { approval: address === undefined ? record : { ...record, url: address } }
  const owners = address === undefined ? [] : await addressesOfOwners(app, orgId)
  const mails = owners.map((to) => approvalMail(to, address!, validForMs))
  const { matched } = await commit(app, {
    guard: askingKeyGuard(app.sql, orgId, keyId!),
    effects: [
      insertApproval(app.sql, row),
      // It lies on no calendar that could be deleted.
      setTimers(app, { orgId, id: row.id, calendarId: row.id }, [
        { kind: 'approval_expiry', offsetMinutes: 0, dueAt: row.expiresAt, occurrenceStart: null },
      ]),
      ...emit(app, byActor(actor), [{ type: 'approval.requested', payload }]),
      auditEntry(app, actor, 'approval.request', id),
      sendAllLater(app, mails, orgId),
      storeResponse(app, actor, answer, { made: [id, ...(url === undefined ? [] : [url])] }),
    ],
  })
  if (!matched) throw tooMany()
  return answer
}

type Terms = { token: string | undefined; validForMs: number }

async function rowOf(app: App, actor: Actor, asked: AskedRequest, { token, validForMs }: Terms): Promise<ApprovalRow> {
  const { orgId, keyId, keyPrefix, agentId } = actor
  const subject = await readSubject(app, actor, asked.ids)
  const createdAt = app.clock.now()
  const id = newId()
  const { sealed, hash } = sealRequest(app, id, { ...asked, ...describeRequest(asked, subject), zone: subject.zone })
  return {
    ...{ orgId, id, keyId: keyId!, keyPrefix: keyPrefix!, agentId: agentId!, action: asked.action },
    calendarId: (subject.calendar && decodeId('cal', subject.calendar.id)) ?? null,
    ...{ requestSealed: sealed, requestHash: hash, status: 'pending', resultSealed: null, decidedAt: null, createdAt },
    approver: token === undefined ? 'session' : 'link',
    tokenHash: token === undefined ? null : sha256(token),
    expiresAt: new Date(createdAt.getTime() + validForMs),
  }
}

const tooMany = () =>
  new ServiceError('quota_exceeded', `At most ${maxPending} approvals of a key may wait. Let a person decide first.`, {
    ...{ code: 'guardrail', help: { guardrail: 'approval' } },
    retryAfterSeconds: 60,
  })
