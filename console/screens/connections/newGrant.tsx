import type { AvailabilityGrant, CalendarConnectionDetail } from '../../../clients/typescript/src/entry.ts'
import { PickerField, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { type Find, type Option, optionsOf } from '../../parts/options.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Audience = AvailabilityGrant['audience']
type Values = { external_calendar_ids: readonly string[]; audience: Audience; agent_ids: readonly string[] }
type Props = {
  connection: CalendarConnectionDetail
  agents: readonly Option[]
  findAgents: Find | undefined
  close: () => void
}

const audiences = optionsOf(texts.audiences)

export function NewGrant({ connection: { id, calendars }, agents, findAgents, close }: Props) {
  const chosen = calendars.filter(({ selected, availability_readable }) => selected && availability_readable)
  const form = useForm<Values>(`new-grant:${id}`, {
    external_calendar_ids: chosen.map((one) => one.id),
    audience: 'selected_agents',
    agent_ids: [],
  })
  const isChosen = form.values.audience === 'selected_agents'
  const act = useAct(
    ({ external_calendar_ids, audience, agent_ids }: Values, sent) =>
      service.availabilityGrants.create(
        {
          external_calendar_ids: [...external_calendar_ids],
          audience,
          ...(audience === 'selected_agents' && { agent_ids: [...agent_ids] }),
        },
        sent,
      ),
    async () => {
      form.forget()
      await acted('grant', 'connection')
      notify(texts.created(texts.grant))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.createGrant} least="viewer" act={act} cancel={close}>
      <PickerField
        name="external_calendar_ids"
        label={texts.calendars}
        options={chosen.map(({ id, name }) => ({ value: id, label: name }))}
        several
        hint={chosen.length === 0 ? texts.noneChosen : undefined}
      />
      <Select name="audience" label={texts.audience} options={audiences} />
      {isChosen && <PickerField name="agent_ids" label={texts.agents} options={agents} find={findAgents} several />}
    </Form>
  )
}
