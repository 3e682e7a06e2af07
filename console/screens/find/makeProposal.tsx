import { useNavigate } from '@tanstack/react-router'
import { noCall } from '../../parts/call.ts'
import { CallFields } from '../../parts/callFields.tsx'
import { Input, PickerField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { MetadataField, More } from '../../parts/more.tsx'
import { span } from '../../parts/times.ts'
import { useChoices } from '../../parts/useChoices.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { calendarField, type ProposalValues, proposalBody, type Slot, weightField } from './proposal.ts'

type Shown = Parameters<typeof span>[2]
type Props = { agents: readonly string[]; slots: readonly Slot[]; shown: Shown; close: () => void }

const empty: ProposalValues = {
  ...{ ...noCall, title: '', description: '', organizer: '', calendar: '', location: '', expires: '', metadata: '' },
}

export function MakeProposal({ agents, slots, shown, close }: Props) {
  const navigate = useNavigate()
  const choices = useChoices()
  const form = useForm('make-proposal', empty)
  const act = useAct(
    (values: ProposalValues, sent) =>
      service.proposals.create(proposalBody(values, agents, slots, shown.timezone), sent),
    async ({ id }) => {
      form.forget()
      await acted('proposal')
      notify(texts.created(texts.find.proposal))
      close()
      await navigate({ to: `/proposals/${id}` })
    },
  )
  return (
    <Form form={form} submit={texts.find.sendProposal} act={act} cancel={close}>
      <Input name="title" label={texts.title_} autoFocus />
      <Input name="description" label={texts.description} />
      <PickerField
        name="organizer"
        param="organizer_agent_id"
        label={texts.find.organizer}
        options={choices.agents}
        find={choices.findAgents}
      />
      <PickerField
        name="calendar"
        param="calendar_id"
        label={texts.calendar}
        options={choices.calendars}
        find={choices.findCalendars}
      />
      <Input name="location" label={texts.eventDetails.location} />
      <CallFields />
      <ul className="plain muted">
        {slots.map(({ start, end }) => (
          <li key={start}>{span(start, end, shown)}</li>
        ))}
      </ul>
      <More>
        <Input
          name="expires"
          param="expires_at"
          label={texts.find.answersUntil}
          hint={texts.find.answersUntilHint}
          type="datetime-local"
        />
        {slots.map((slot, at) => (
          <SlotFields key={slot.start} {...{ slot, at, shown, choices }} />
        ))}
        <MetadataField />
      </More>
    </Form>
  )
}

type SlotProps = { slot: Slot; at: number; shown: Shown; choices: ReturnType<typeof useChoices> }

/** How much a time counts before any response, and the calendar for it alone. */
function SlotFields({ slot: { start, end }, at, shown, choices }: SlotProps) {
  const time = span(start, end, shown)
  return (
    <div className="row">
      <Input
        name={weightField(start)}
        param={`slots.${at}.weight`}
        label={texts.find.weightOf(time)}
        hint={texts.find.weightHint}
        type="number"
        min={0}
      />
      <PickerField
        name={calendarField(start)}
        param={`slots.${at}.calendar_id`}
        label={texts.find.calendarOf(time)}
        options={choices.calendars}
        find={choices.findCalendars}
      />
    </div>
  )
}
