import { useState } from 'react'
import type { WebhookTest } from '../../../clients/typescript/src/entry.ts'
import { Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { word } from '../../parts/times.ts'
import { useForm } from '../../parts/useForm.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { texts } from '../../texts.ts'
import type { EventType } from './values.ts'

export function SendTest({ id, events, close }: { id: string; events: readonly EventType[]; close: () => void }) {
  const [result, setResult] = useState<WebhookTest>()
  const form = useForm<{ type: EventType }>(undefined, { type: events[0]! })
  const act = useAct((body: { type: EventType }, sent) => service.webhooks.test(id, body, sent), setResult)
  return (
    <Form
      form={form}
      submit={texts.send}
      act={act}
      send={() => {
        setResult(undefined)
        return act.send(form.values)
      }}
      cancel={close}
    >
      <Select name="type" label={texts.eventType} options={events.map((value) => ({ value, label: value }))} />
      <p role="status">{result && saidOf(result)}</p>
      {result?.body_start && <pre>{result.body_start}</pre>}
    </Form>
  )
}

const saidOf = ({ delivered, outcome, http_status, duration_ms }: WebhookTest) =>
  delivered ? texts.testDelivered(http_status ?? 0, duration_ms) : texts.testFailed(word(outcome).toLowerCase())
