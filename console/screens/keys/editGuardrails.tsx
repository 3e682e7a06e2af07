import type { ListedApiKey } from '../../../clients/typescript/src/entry.ts'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { GuardrailFields } from './guardrailFields.tsx'
import { type GuardrailValues, guardrailsOf, guardrailValues } from './guardrails.ts'

export function EditGuardrails({ apiKey, close }: { apiKey: ListedApiKey; close: () => void }) {
  const form = useForm<GuardrailValues>(`guardrails:${apiKey.id}`, guardrailValues(apiKey.guardrails))
  const act = useAct(
    (values: GuardrailValues, sent) =>
      service.keys.update(apiKey.id, { guardrails: guardrailsOf(values, apiKey.guardrails) ?? null }, sent),
    async () => {
      form.forget()
      await acted('key')
      notify(texts.saved(texts.key))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.save} act={act} cancel={close}>
      <GuardrailFields />
    </Form>
  )
}
