import { useNavigate } from '@tanstack/react-router'
import type { FullAnswer, Webhook } from '../../../clients/typescript/src/entry.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Edit } from '../../parts/edit.tsx'
import { acted, forget } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { WebhookFields } from './fields.tsx'
import { bodyOf, valuesOf, type WebhookValues } from './values.ts'

export function WebhookSettings({ record }: { record: FullAnswer<Webhook> }) {
  const { id, url } = record.data
  return (
    <div className="card">
      <Edit<Webhook, WebhookValues>
        name={`webhook:${id}`}
        label={texts.settings}
        record={record}
        valuesOf={valuesOf}
        labels={{
          url: texts.address,
          events: texts.eventTypes,
          calendar_ids: texts.calendars,
          agent_ids: texts.agents,
        }}
        update={(changed, { idempotencyKey }) => service.webhooks.update(id, bodyOf(changed), { idempotencyKey })}
        readAgain={() => service.webhooks.get(id).full()}
        done={async () => {
          await acted('webhook')
          notify(texts.saved(texts.webhook))
        }}
        actions={
          <DialogButton label={texts.deleteWebhook} className="quiet dangerous" alert>
            {(close) => <DeleteWebhook id={id} url={url} close={close} />}
          </DialogButton>
        }
      >
        <WebhookFields />
      </Edit>
    </div>
  )
}

function DeleteWebhook({ id, url, close }: { id: string; url: string; close: () => void }) {
  const navigate = useNavigate()
  const act = useAct<void, unknown>(
    (_, sent) => service.webhooks.delete(id, sent),
    async () => {
      notify(texts.deleted(texts.webhook))
      forget('webhook', id)
      await navigate({ to: '/webhooks' })
    },
  )
  return (
    <Confirm label={texts.deleteWebhook} typed={url} act={act} close={close}>
      <p>{texts.deleteWebhookHint}</p>
    </Confirm>
  )
}
