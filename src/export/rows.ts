// The rows of an export: the record of each noun is presented from them.

import type { Guardrails } from '../actors/guardrails.ts'
import type { Role } from '../actors/roles.ts'
import type { presentAgent } from '../agents/present.ts'
import type { presentApproval } from '../approvals/stored.ts'
import type { presentCalendar } from '../calendars/present.ts'
import type { presentEvent } from '../events/present.ts'
import type { presentGroup } from '../holdGroups/present.ts'
import type { presentSubscription } from '../imports/present.ts'
import type { presentInvitation } from '../members/presentInvitation.ts'
import type { presentProposal, presentResponse, presentSlot } from '../proposals/present.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { presentWebhook } from '../webhooks/present.ts'

export type ApprovalRow = Parameters<typeof presentApproval>[1]
export type AgentRow = Parameters<typeof presentAgent>[0]
export type CalendarRow = Parameters<typeof presentCalendar>[1] & { deletedAt: Date | null }
/** `goneAt`: when the event or its calendar was deleted. */
export type EventRow = Parameters<typeof presentEvent>[1] & { goneAt: Date | null }
export type WebhookRow = Parameters<typeof presentWebhook>[1] & { secretSealed: Buffer }
export type SubscriptionRow = Parameters<typeof presentSubscription>[1]
export type HoldGroupRow = Parameters<typeof presentGroup>[1]
export type ProposalRow = Parameters<typeof presentProposal>[1]
export type SlotRow = Parameters<typeof presentSlot>[0]
export type ResponseRow = Parameters<typeof presentResponse>[0] & { proposalId: Uuid }

export type KeyRow = {
  id: Uuid
  prefix: string
  /** Null for the organization's own key. */
  agentId: Uuid | null
  label: string | null
  createdAt: Date
  revokedAt: Date | null
}

export type MemberRow = { id: Uuid; email: string; role: Role; joinedAt: Date }
export type InvitationRow = Parameters<typeof presentInvitation>[0]
export type GuardedKeyRow = { id: Uuid; agentId: Uuid; guardrails: Guardrails }

export type CounterRow = { periodStart: Date; metric: string; used: number }

export type AcceptanceRow = {
  version: string
  documentHash: Buffer
  source: string
  ip: string | null
  userAgent: string | null
  acceptedAt: Date
}
