import { useParams } from '@tanstack/react-router'
import { Allowed } from '../../parts/allowed.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Unread } from '../../parts/unread.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { actAtOnce } from '../../service/actAtOnce.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { Deliveries } from './deliveries.tsx'
import { Health } from './health.tsx'
import { Replay } from './replay.tsx'
import { Rotate } from './rotate.tsx'
import { SendTest } from './sendTest.tsx'
import { stateOf } from './state.ts'
import { WebhookSettings } from './webhookSettings.tsx'

export function Webhook() {
  const { id } = useParams({ strict: false }) as { id: string }
  const filters = useFilters()
  const { data, error, refetch } = useRead(['one', 'webhook', id], () => service.webhooks.get(id).full(), {
    fresh: true,
  })
  if (!data) return <Unread error={error} again={refetch} />
  const webhook = data.data

  async function turn(active: boolean) {
    await service.webhooks.update(id, { active })
    await acted('webhook')
    notify(texts.saved(texts.webhook))
  }

  const endOverlap = () => actAtOnce(() => service.webhooks.endSecretOverlap(id), texts.overlapEnded, 'webhook')

  return (
    <Screen
      heading={webhook.url}
      actions={
        <>
          <DialogButton label={texts.sendTest} className="quiet">
            {(close) => <SendTest id={id} events={webhook.events} close={close} />}
          </DialogButton>
          <DialogButton label={texts.replay} className="quiet">
            {(close) => <Replay id={id} close={close} />}
          </DialogButton>
          <DialogButton label={texts.rotateSecret} className="quiet">
            {(close) => <Rotate id={id} close={close} />}
          </DialogButton>
          {webhook.previousSecretExpiresAt && (
            <Allowed>
              <button type="button" className="quiet" onClick={endOverlap}>
                {texts.endOverlap}
              </button>
            </Allowed>
          )}
        </>
      }
    >
      <div className="filters">
        <State of={stateOf(webhook)} />
        <Switch label={texts.active} isOn={webhook.active} turn={turn} />
      </div>
      <Tabs
        label={texts.webhook}
        open={filters.values.tab}
        choose={(tab) => filters.set({ tab, status: undefined, event_type: undefined, from: undefined, to: undefined })}
        tabs={[
          { id: 'deliveries', label: texts.deliveries, content: () => <Deliveries id={id} /> },
          { id: 'health', label: texts.health, content: () => <Health id={id} /> },
          { id: 'settings', label: texts.settings, content: () => <WebhookSettings record={data} /> },
        ]}
      />
    </Screen>
  )
}
