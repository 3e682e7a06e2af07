import type { FullProposal } from '../../../clients/typescript/src/entry.ts'
import { Input, Radios, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Rows } from '../../parts/rows.tsx'
import { span } from '../../parts/times.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { type CounterRow, counterSlots, noCounter } from './counter.ts'

type Response = 'accept' | 'decline' | 'counter'
type Values = { response: Response; slot: string; counter_slots: readonly CounterRow[]; message: string }

const responses = (['accept', 'decline', 'counter'] as const).map((value) => ({ value, label: texts.respond[value] }))

export function Respond({ proposal, agent, close }: { proposal: FullProposal; agent: string; close: () => void }) {
  const { id, slots } = proposal
  const form = useForm<Values>(`respond:${id}:${agent}`, {
    ...{ response: 'accept', slot: slots[0]!.id, counter_slots: [], message: '' },
  })
  const { response } = form.values
  const act = useAct(
    ({ response, slot, counter_slots, message }: Values, sent) =>
      service.proposals.respond(
        id,
        {
          ...{ agent_id: agent, response },
          ...(response === 'accept' && { selected_slot_id: slot }),
          ...(response === 'counter' &&
            counter_slots.length > 0 && { counter_slots: counterSlots(counter_slots, settings.get().timezone) }),
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
      {response === 'counter' && (
        <Rows
          {...{ name: 'counter_slots', label: texts.counterTimes, hint: texts.counterHint }}
          {...{ add: texts.addTime, remove: texts.removeTime, first: noCounter }}
        >
          {(at) => (
            <>
              <Input
                name="from"
                param={`counter_slots.${at}.start_time`}
                label={texts.timeFrom(at + 1)}
                type="datetime-local"
              />
              <Input
                name="to"
                param={`counter_slots.${at}.end_time`}
                label={texts.timeTo(at + 1)}
                type="datetime-local"
              />
            </>
          )}
        </Rows>
      )}
      <Input name="message" label={texts.message} />
    </Form>
  )
}
