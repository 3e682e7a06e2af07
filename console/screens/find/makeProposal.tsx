import { useNavigate } from '@tanstack/react-router'
import { type CallValues, callOf, noCall } from '../../parts/call.ts'
import { CallFields } from '../../parts/callFields.tsx'
import { Input, PickerField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { span } from '../../parts/times.ts'
import { useChoices } from '../../parts/useChoices.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Slot = { start: string; end: string }
type Props = { agents: readonly string[]; slots: readonly Slot[]; shown: Parameters<typeof span>[2]; close: () => void }

/** The agents of the question are asked; who organizes is asked only if nobody else is left. */
const participantsOf = (agents: readonly string[], organizer: string) => {
  const others = agents.filter((agent) => agent !== organizer)
  return others.length > 0 ? others : [...agents]
}

const callIn = (values: CallValues) => {
  const conference = callOf(values)
  return conference && { conference }
}

export function MakeProposal({ agents, slots, shown, close }: Props) {
  const navigate = useNavigate()
  const choices = useChoices()
  const form = useForm('make-proposal', {
    ...{ ...noCall, title: '', description: '', organizer: '', calendar: '', location: '' },
  })
  const act = useAct(
    ({ title, description, organizer, calendar, location, ...rest }: typeof form.values, sent) =>
      service.proposals.create(
        {
          ...{ title, organizer_agent_id: organizer, calendar_id: calendar },
          ...(description && { description }),
          ...(location && { location }),
          ...callIn(rest),
          participant_agent_ids: participantsOf(agents, organizer),
          slots: slots.map(({ start, end }) => ({ start_time: start, end_time: end })),
        },
        sent,
      ),
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
      <PickerField name="organizer" param="organizer_agent_id" label={texts.find.organizer} options={choices.agents} />
      <PickerField name="calendar" param="calendar_id" label={texts.calendar} options={choices.calendars} />
      <Input name="location" label={texts.eventDetails.location} />
      <CallFields />
      <ul className="plain muted">
        {slots.map(({ start, end }) => (
          <li key={start}>{span(start, end, shown)}</li>
        ))}
      </ul>
    </Form>
  )
}
