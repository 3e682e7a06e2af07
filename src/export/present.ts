// The records of an export that the API shows in another form, or nowhere else.
import type { App } from '../app.ts'
import { busyTokenContext, feedTokenContext, presentCalendar } from '../calendars/present.ts'
import { single } from '../events/occurrences.ts'
import { presentEvent, presentInstance } from '../events/present.ts'
import { presentProposal, presentResponse, presentSlot } from '../proposals/present.ts'
import { isoTime, isoTimeOrNull } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { openHeaders, presentWebhook, secretContext } from '../webhooks/present.ts'
import type {
  AcceptanceRow,
  CalendarRow,
  CounterRow,
  EventRow,
  GuardedKeyRow,
  KeyRow,
  MemberRow,
  ProposalRow,
  ResponseRow,
  SlotRow,
  WebhookRow,
} from './rows.ts'

export const exportCalendar = (app: App, row: CalendarRow) => ({
  ...presentCalendar(app, row),
  deletedAt: isoTimeOrNull(row.deletedAt),
  ical_token: app.sealer.unseal(feedTokenContext(row.id), row.feedTokenSealed),
  ...(row.busyTokenSealed && { busy_ical_token: app.sealer.unseal(busyTokenContext(row.id), row.busyTokenSealed) }),
})

export const exportEvent = (app: App, row: EventRow, now: Date) => ({
  ...presentEvent(app, row, now),
  deletedAt: isoTimeOrNull(row.goneAt),
})

/** One occurrence; what it takes from its series is written out. */
export const exportOverride = (app: App, row: EventRow, now: Date) => ({
  ...presentInstance(app, single(row), now),
  deletedAt: isoTimeOrNull(row.goneAt),
})

export const exportWebhook = (app: App, row: WebhookRow) => ({
  ...presentWebhook(app, row),
  secret: app.sealer.unseal(secretContext(row.id), row.secretSealed),
  ...(row.headersSealed && { headers: openHeaders(app, row) }),
})

export const exportKey = (row: KeyRow) => ({
  id: encodeId('key', row.id),
  key_prefix: row.prefix,
  agent_id: row.agentId && encodeId('agt', row.agentId),
  label: row.label,
  created_at: isoTime(row.createdAt),
  revoked_at: isoTimeOrNull(row.revokedAt),
})

export const exportGuardrails = ({ id, agentId, guardrails }: GuardedKeyRow) => ({
  key_id: encodeId('key', id),
  agent_id: encodeId('agt', agentId),
  guardrails,
})

/** `slots`: the resolved slots of all proposals of the page. */
export function exportProposals(app: App, page: readonly ProposalRow[], slots: readonly SlotRow[], now: Date) {
  const slotsOf = Map.groupBy(slots, ({ proposalId }) => proposalId)
  return page.map((row) => presentProposal(app, row, slotsOf.get(row.id) ?? [], now))
}

export const exportSlot = (row: SlotRow) => ({
  proposal_id: encodeId('spr', row.proposalId),
  ...presentSlot(row),
})

export const exportResponse = (row: ResponseRow) => ({
  proposal_id: encodeId('spr', row.proposalId),
  ...presentResponse(row),
})

export const exportMember = ({ id, email, role, joinedAt }: MemberRow) => ({
  id: encodeId('mem', id),
  email,
  role,
  joined_at: isoTime(joinedAt),
})

export const exportCounter = (row: CounterRow) => ({
  metric: row.metric,
  period_start: isoTime(row.periodStart),
  used: Number(row.used),
})

export const exportAcceptance = (row: AcceptanceRow) => ({
  version: row.version,
  document_hash: row.documentHash.toString('hex'),
  source: row.source,
  ip: row.ip,
  user_agent: row.userAgent,
  accepted_at: isoTime(row.acceptedAt),
})
