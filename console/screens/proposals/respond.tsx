import type { FullProposal } from '../../../clients/typescript/src/entry.ts'
import { Input, Radios, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { span } from '../../parts/times.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'

type Response = 'accept' | 'decline' | 'counter'
type Values = { response: Response; slot: string; message: string }

const responses = (['accept', 'decline', 'counter'] as const).map((value) => ({ value, label: texts.respond[value] }))

export function Respond({ proposal, agent, close }: { proposal: FullProposal; agent: string; close: () => void }) {
  const { id, slots } = proposal
  const form = useForm<Values>(`respond:${id}:${agent}`, { response: 'accept', slot: slots[0]!.id, message: '' })
  const { response } = form.values
  const act = useAct(
    ({ response, slot, message }: Values, sent) =>
      service.proposals.respond(
        id,
        {
          ...{ agent_id: agent, response },
          ...(response === 'accept' && { selected_slot_id: slot }),
          ...(message && { message }),
        },
        sent,
      ),
    async () => {
      form.forget()
      await acted('proposal')
      notify(texts.responded)
      close()
    },
  )
  return (
    <Form form={form} submit={texts.sendResponse} act={act} cancel={close}>
      <Radios
        label={texts.response}
        options={responses}
        value={response}
        choose={(response) => form.set({ response: response as Response })}
      />
      {response === 'accept' && (
        <Select
          name="slot"
          param="selected_slot_id"
          label={texts.time}
          options={slots.map(({ id, start_time, end_time }) => ({
            value: id,
            label: span(start_time, end_time, settings.get()),
          }))}
        />
      )}
      <Input name="message" label={texts.message} />
    </Form>
  )
}
