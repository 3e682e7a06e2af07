import type { Actor } from '../actors/actor.ts'
import { requireAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { notFound } from '../errors.ts'
import { decodeId } from '../shapes/ids.ts'
import { listPage } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { presentFullProposal, presentProposal } from './present.ts'
import {
  type ProposalRow,
  proposalById,
  proposalsPage,
  proposalTotal,
  type ResponseRow,
  resolvedSlots,
  responsesOf,
  type SlotRow,
  slotsOf,
} from './queries.ts'
import type { ProposalListQuery } from './schema.ts'

export async function listProposals(app: App, actor: Actor, query: ProposalListQuery) {
  const { orgId } = actor
  const now = app.clock.now()
  const { status, organizer_agent_id: organizer } = query
  const agent = organizer === undefined ? undefined : await requireAgent(app, actor, organizer, 'organizer_agent_id')
  const filter = { status, organizerId: agent?.id, now }
  const [rows, [count]] = await Promise.all([
    proposalsPage(app.sql, orgId, filter, query),
    proposalTotal(app.sql, orgId, filter),
  ])
  const confirmed = rows.filter((row) => row.resolvedSlotId !== null).map((row) => row.id)
  const slots = confirmed.length > 0 ? await resolvedSlots(app.sql, orgId, confirmed) : []
  return listPage(await mapInSlices(rows, (row) => presentProposal(app, row, slots, now)), count?.total ?? 0, query)
}

export async function getProposal(app: App, actor: Actor, id: string) {
  const { proposal, slots, responses } = await requireProposal(app, actor, id)
  return presentFullProposal(app, proposal, slots, responses, app.clock.now())
}

export type WholeProposal = { proposal: ProposalRow; slots: SlotRow[]; responses: ResponseRow[] }

/** Reads the proposal first, so that its revision is never newer than the responses. */
export async function requireProposal(app: App, actor: Actor, id: string): Promise<WholeProposal> {
  const uuid = decodeId('spr', id)
  const [proposal] = uuid ? await proposalById(app.sql, actor.orgId, uuid) : []
  if (!proposal) throw notFound('proposal', null, id)
  const [slots, responses] = await Promise.all([
    slotsOf(app.sql, actor.orgId, proposal.id),
    responsesOf(app.sql, actor.orgId, proposal.id),
  ])
  return { proposal, slots, responses }
}
