import type { Happened } from '../changeLog/subject.ts'
import type { ProposalRow } from './queries.ts'

/** Whom the entries of a proposal concern: they are its organizer's, and about its participants. Most payloads do not tell. */
export const ofProposal = ({
  calendarId,
  organizerAgentId,
  participantAgentIds,
}: Pick<ProposalRow, 'calendarId' | 'organizerAgentId' | 'participantAgentIds'>): Pick<
  Happened,
  'calendarId' | 'agentId' | 'participantIds'
> => ({
  calendarId,
  agentId: organizerAgentId,
  participantIds: participantAgentIds,
})
