// An approval for the person who decides: its subject as it is at this moment.
import type { App } from '../app.ts'
import { sha256 } from '../sealing/sealer.ts'
import { type Change, describeRequest } from './describe.ts'
import { openRequest, presentApproval, type StoredApproval } from './stored.ts'
import { readSubject, type SubjectIds } from './subject.ts'

export type ApprovalView = {
  approval: ReturnType<typeof presentApproval>
  /** For something that was deleted: as it was when the agent asked. */
  summary: string
  changes: readonly Change[]
  zone: string
  /** `changed`: the subject is not as it was when the agent asked. */
  subject: 'same' | 'changed' | 'gone'
  /** Of the request and of everything that is shown of it: a decision is about what was shown. */
  hash: string
}

export async function viewApproval(app: App, row: StoredApproval): Promise<ApprovalView> {
  const kept = openRequest(app, row)
  const now = await readSubject(app, { orgId: row.orgId }, kept.ids)
  const shown = namesRecord(kept.ids) && !now.before ? undefined : describeRequest(kept, now)
  const { summary, changes } = shown ?? kept
  const subject = shown === undefined ? 'gone' : isSame(shown, kept) ? 'same' : 'changed'
  const hash = sha256(JSON.stringify([row.requestHash.toString('hex'), summary, changes, subject])).toString(
    'base64url',
  )
  return { approval: presentApproval(app, row, app.clock.now()), summary, changes, zone: kept.zone, subject, hash }
}

const namesRecord = ({ eventId, groupId, agentId, isCalendar }: SubjectIds): boolean =>
  [eventId, groupId, agentId, isCalendar].some((one) => one !== undefined)

type Described = { summary: string; changes: readonly Change[] }

const isSame = (a: Described, b: Described): boolean =>
  a.summary === b.summary && JSON.stringify(a.changes) === JSON.stringify(b.changes)
