// The answers to a proposal, by participant and time. Pure.
import type { FullProposal, ProposalSlot } from '../../../clients/typescript/src/entry.ts'

type Answer = 'accepted' | 'countered' | 'declined' | 'none'

/** An acceptance is of one time; the other two are of all. */
export function answerOf({ responses }: Pick<FullProposal, 'responses'>, agentId: string, slotId: string): Answer {
  const given = responses.find((response) => response.agent_id === agentId)
  if (!given) return 'none'
  if (given.response === 'decline') return 'declined'
  if (given.response === 'counter') return 'countered'
  return given.selected_slot_id === slotId ? 'accepted' : 'none'
}

/** As the service scores: the weight of the time, 1 for each acceptance of it, 0.3 for each counter. */
export function scoreOf(
  proposal: Pick<FullProposal, 'responses' | 'participant_agent_ids'>,
  slot: ProposalSlot,
): number {
  const answers = proposal.participant_agent_ids.map((agent) => answerOf(proposal, agent, slot.id))
  const count = (answer: Answer) => answers.filter((one) => one === answer).length
  return Math.round((slot.weight + count('accepted') + count('countered') * 0.3) * 1_000) / 1_000
}
