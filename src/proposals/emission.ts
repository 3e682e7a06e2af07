import type { Happened } from '../changelog/subject.ts'
import type { ProposalRow } from './queries.ts'

/** Whose the entries of a proposal are: its organizer's. Most payloads do not tell. */
export const ofProposal = ({
  calendarId,
  organizerAgentId,
}: Pick<ProposalRow, 'calendarId' | 'organizerAgentId'>): Pick<Happened, 'calendarId' | 'agentId'> => ({
  calendarId,
  agentId: organizerAgentId,
})
