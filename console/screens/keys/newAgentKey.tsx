import { Input, PickerField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { GuardrailFields } from './guardrailFields.tsx'
import { type GuardrailValues, guardrailsOf, guardrailValues } from './guardrails.ts'

type Values = { agent_id: string; label: string } & GuardrailValues

export function NewAgentKey({ close }: { close: () => void }) {
  const { agents, findAgents } = useChoices({ withCalendars: false })
  const form = useForm<Values>('new-agent-key', { agent_id: '', label: '', ...guardrailValues() })
  const act = useAct(
    ({ agent_id, label, ...values }: Values, sent) => {
      const guardrails = guardrailsOf(values)
      return service.keys.createFromConsole(
        { agent_id, ...(label && { label }), ...(guardrails && { guardrails }) },
        sent,
      )
    },
    async ({ key }) => {
      form.forget()
      await acted('key')
      notify(texts.created(texts.key))
      close()
      showSecret(key)
    },
  )
  return (
    <Form form={form} submit={texts.createKey} act={act} cancel={close}>
      <PickerField name="agent_id" label={texts.agent} options={agents} find={findAgents} />
      <Input name="label" label={texts.label} />
      <GuardrailFields />
    </Form>
  )
}
