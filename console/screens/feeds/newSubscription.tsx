import type { Calendar } from '../../../clients/typescript/src/entry.ts'
import { Input, PickerField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { calendarFinder } from '../../parts/useChoices.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Props = {
  calendars: readonly Calendar[]
  /** Whether these are all calendars. */
  isWhole: boolean
  close: () => void
}

const isOwned = ({ agentId }: { agentId: string | null }) => agentId !== null
const findOwned = calendarFinder(isOwned)

/** Without a calendar any agent will do: the service refuses the calendar. */
async function agentOf(id: string, owned: readonly Calendar[]): Promise<string> {
  const known = owned.find((one) => one.id === id) ?? (id === '' ? owned[0] : await service.calendars.get(id))
  return known?.agentId ?? '-'
}

const empty = { calendar_id: '', url: '', label: '' }

export function NewSubscription({ calendars, isWhole, close }: Props) {
  // Feeds belong to the agent of a calendar.
  const owned = calendars.filter(isOwned)
  // The address of a feed opens it, so it is no draft.
  const form = useForm('new-subscription', empty, ['url'])
  const act = useAct(
    async ({ label, ...body }: typeof empty, sent) => {
      const agentId = await agentOf(body.calendar_id, owned)
      return service.icalSubscriptions.create(agentId, { ...body, ...(label && { label }) }, sent)
    },
    async () => {
      form.forget()
      await acted('ical_subscription')
      notify(texts.created(texts.subscription))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.subscribe} act={act} cancel={close}>
      <PickerField
        name="calendar_id"
        label={texts.calendar}
        options={owned.map(({ id, name }) => ({ value: id, label: name }))}
        find={isWhole ? undefined : findOwned}
      />
      <Input name="url" label={texts.feedAddress} type="url" />
      <Input name="label" label={texts.label} />
    </Form>
  )
}
