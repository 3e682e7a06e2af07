import { useParams } from '@tanstack/react-router'
import type { FullProposal } from '../../../clients/typescript/src/entry.ts'
import { CallText } from '../../parts/callFields.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { MetadataFact } from '../../parts/more.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Unread } from '../../parts/unread.tsx'
import { useAgentNames } from '../../parts/useAgentNames.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { slotsOf } from './counter.ts'
import { answerOf, scoreOf } from './matrix.ts'
import { Respond } from './respond.tsx'

export function Proposal() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useRead(['one', 'proposal', id], (options) => service.proposals.get(id, options))
  const nameOf = useAgentNames(data ? [data.organizer_agent_id, ...data.participant_agent_ids] : [])
  if (!data) return <Unread error={error} again={refetch} />
  const isOpen = data.status === 'pending'
  const waiting = data.participant_agent_ids.filter(
    (agent) => !data.responses.some(({ agent_id }) => agent_id === agent),
  )

  return (
    <Screen
      heading={data.title}
      actions={
        isOpen && (
          <>
            <DialogButton label={texts.resolve} alert>
              {(close) => <Resolve id={id} close={close} />}
            </DialogButton>
            <DialogButton label={texts.cancelProposal} className="quiet dangerous" alert>
              {(close) => <Cancel id={id} close={close} />}
            </DialogButton>
          </>
        )
      }
    >
      <p>
        <State of={data.status} />
      </p>
      {data.description && <p>{data.description}</p>}
      {(data.location || data.conference || data.expires_at || Object.keys(data.metadata).length > 0) && (
        <Facts>
          {data.expires_at && (
            <Fact name={texts.find.answersUntil}>
              <Moment at={data.expires_at} />
            </Fact>
          )}
          {data.location && <Fact name={texts.eventDetails.location}>{data.location}</Fact>}
          {data.conference && (
            <Fact name={texts.eventDetails.call}>
              <CallText of={data.conference} />
            </Fact>
          )}
          <MetadataFact of={data.metadata} />
        </Facts>
      )}
      {data.resolved_slot && (
        <p>
          <Moment at={data.resolved_slot.start_time} end={data.resolved_slot.end_time} />
        </p>
      )}
      <section className="part">
        <h2>{texts.responses}</h2>
        <Responses proposal={data} nameOf={nameOf} />
        <Said proposal={data} nameOf={nameOf} />
        {isOpen && (
          <div className="actions after">
            {waiting.map((agent) => (
              <DialogButton key={agent} label={texts.respondFor(nameOf(agent))} className="quiet">
                {(close) => <Respond proposal={data} agent={agent} close={close} />}
              </DialogButton>
            ))}
          </div>
        )}
      </section>
    </Screen>
  )
}

type ResponsesProps = { proposal: FullProposal; nameOf: (agent: string) => string }

function Responses({ proposal, nameOf }: ResponsesProps) {
  return (
    <div className="scroll">
      <table aria-label={texts.responses}>
        <thead>
          <tr>
            <th scope="col">{texts.participant}</th>
            {proposal.slots.map(({ id, start_time, end_time }) => (
              <th key={id} scope="col">
                <Moment at={start_time} end={end_time} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {proposal.participant_agent_ids.map((agent) => (
            <tr key={agent}>
              <td>{nameOf(agent)}</td>
              {proposal.slots.map(({ id }) => (
                <td key={id}>{texts.answers[answerOf(proposal, agent, id)]}</td>
              ))}
            </tr>
          ))}
          <tr>
            <td>{texts.score}</td>
            {proposal.slots.map((slot) => (
              <td key={slot.id}>{scoreOf(proposal, slot)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

/** The words and the other times that came with responses. */
function Said({ proposal, nameOf }: ResponsesProps) {
  const said = proposal.responses.filter(({ message, counter_slots }) => message || counter_slots.length > 0)
  if (said.length === 0) return null
  return (
    <ul className="plain after" aria-label={texts.saidWith}>
      {said.map(({ id, agent_id, message, counter_slots }) => (
        <li key={id}>
          <strong>{nameOf(agent_id)}</strong> {message && <span className="written">{message}</span>}
          {slotsOf(counter_slots).map(({ start, end }) => (
            <p key={start}>
              <Moment at={start} end={end} />
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

type Props = { id: string; close: () => void }

function Resolve({ id, close }: Props) {
  const act = useAct<void, unknown>(
    (_, sent) => service.proposals.resolve(id, sent),
    async () => {
      await acted('proposal')
      notify(texts.resolved)
    },
  )
  return (
    <Confirm label={texts.resolve} act={act} close={close}>
      <p>{texts.resolveHint}</p>
    </Confirm>
  )
}

function Cancel({ id, close }: Props) {
  const act = useAct<void, unknown>(
    (_, sent) => service.proposals.cancel(id, sent),
    async () => {
      await acted('proposal')
      notify(texts.proposalCancelled)
    },
  )
  return (
    <Confirm label={texts.cancelProposal} act={act} close={close}>
      <p>{texts.cancelProposalHint}</p>
    </Confirm>
  )
}
