import { Input, Select } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { wordOptions } from '../parts/options.ts'
import { useForm } from '../parts/useForm.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { notify } from '../state/notices.ts'
import { texts } from '../texts.ts'

const kinds = wordOptions(['friction', 'bug', 'feature'])

export function Feedback({ close }: { close: () => void }) {
  const form = useForm<{ type: (typeof kinds)[number]['value']; message: string }>('feedback', {
    type: 'friction',
    message: '',
  })
  const act = useAct(
    (body: typeof form.values, sent) => service.feedback.give(body, sent),
    () => {
      form.forget()
      notify(texts.feedbackSent)
      close()
    },
  )
  return (
    <Form form={form} submit={texts.send} act={act} cancel={close}>
      <Select name="type" label={texts.kind} options={kinds} />
      <Input name="message" label={texts.message} autoFocus />
    </Form>
  )
}
