import { Input, PickerField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { zones } from '../../parts/zones.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'

export function NewCalendar({ agentId, close }: { agentId: string; close: () => void }) {
  const form = useForm(`new-calendar:${agentId}`, { name: '', timezone: settings.get().timezone })
  const act = useAct(
    (body: typeof form.values, sent) => service.calendars.createForAgent(agentId, body, sent),
    async () => {
      form.forget()
      await acted('calendar')
      notify(texts.created(texts.calendar))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.createCalendar} act={act} cancel={close}>
      <Input name="name" label={texts.name} autoFocus />
      <PickerField name="timezone" label={texts.timezone} options={zones} />
    </Form>
  )
}
