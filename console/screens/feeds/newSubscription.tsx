import type { Calendar } from '../../../clients/typescript/src/entry.ts'
import { Input, PickerField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const empty = { calendar_id: '', url: '', label: '' }

export function NewSubscription({ calendars, close }: { calendars: readonly Calendar[]; close: () => void }) {
  // Feeds belong to the agent of a calendar.
  const owned = calendars.filter(({ agentId }) => agentId)
  // The address of a feed opens it, so it is no draft.
  const form = useForm('new-subscription', empty, ['url'])
  const act = useAct(
    ({ label, ...body }: typeof empty, sent) => {
      const agentId = (owned.find(({ id }) => id === body.calendar_id) ?? owned[0])?.agentId ?? '-'
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
      />
      <Input name="url" label={texts.feedAddress} type="url" />
      <Input name="label" label={texts.label} />
    </Form>
  )
}
