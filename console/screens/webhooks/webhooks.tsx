import { useRef } from 'react'
import { A } from '../../parts/a.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { ShowNew } from '../../parts/showNew.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { WebhookFields } from './fields.tsx'
import { stateOf } from './state.ts'
import { bodyOf, emptyWebhook, type WebhookValues } from './values.ts'

export function Webhooks() {
  const filters = useFilters()
  const { offset } = filters
  const button = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useRead(
    ['list', 'webhook', { offset }],
    (options) => service.webhooks.list({ ...options, offset, limit: pageSize }),
    // The stream does not tell of webhooks that somebody else changes: whoever comes back to the window sees them.
    { fresh: true },
  )
  return (
    <Screen
      heading={texts.webhooks}
      actions={
        <DialogButton ref={button} label={texts.newWebhook}>
          {(close) => <NewWebhook close={close} />}
        </DialogButton>
      }
    >
      <ShowNew noun="webhook" />
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.webhooks}
            rows={data.data}
            idOf={({ id }) => id}
            columns={[
              { head: texts.address, cell: ({ id, url }) => <A to={`/webhooks/${id}`}>{url}</A> },
              { head: texts.status, cell: (webhook) => <State of={stateOf(webhook)} /> },
              { head: texts.eventTypes, cell: ({ events }) => events.length, isMinor: true, isNumber: true },
              { head: texts.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} />, isMinor: true },
            ]}
            empty={<Empty things={texts.webhooks} hint={texts.hints.webhooks} button={button} />}
          />
          <Pages page={data} filters={filters} />
        </>
      )}
    </Screen>
  )
}

function NewWebhook({ close }: { close: () => void }) {
  const form = useForm<WebhookValues>('new-webhook', emptyWebhook)
  const act = useAct(
    (values: WebhookValues, sent) =>
      service.webhooks.create({ ...bodyOf(values), url: values.url, events: [...values.events] }, sent),
    async ({ secret }) => {
      form.forget()
      await acted('webhook')
      notify(texts.created(texts.webhook))
      close()
      showSecret(secret)
    },
  )
  return (
    <Form form={form} submit={texts.createWebhook} act={act} cancel={close}>
      <WebhookFields />
    </Form>
  )
}
