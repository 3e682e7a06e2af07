import { useState } from 'react'
import type { ExternalDestination } from '../../../clients/typescript/src/entry.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PickerField, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { optionsOf } from '../../parts/options.ts'
import { Refused } from '../../parts/refused.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { useExternalCalendars } from './useExternalCalendars.ts'

type Policy = ExternalDestination['policy']
type Values = { external_calendar_id: string; policy: Policy }

const policies = optionsOf(texts.policies)

/** Copies of the events in a calendar of a person. */
export function Publishing({ id }: { id: string }) {
  const { data, error, refetch } = useRead(['list', 'destination', id], (options) =>
    service.calendarConnections.getExternalDestination(id, options),
  )
  if (error) return <Refused error={error} again={refetch} />
  if (!data) return null
  return <Destination key={data.data?.id} id={id} destination={data.data} />
}

function Destination({ id, destination }: { id: string; destination: ExternalDestination | null }) {
  // The calendars are read when a person turns to them: most who open this screen want something else.
  const [isAsked, setIsAsked] = useState(destination !== null)
  const calendars = useExternalCalendars(isAsked)
  const form = useForm<Values>(`publishing:${id}`, {
    external_calendar_id: destination?.external_calendar_id ?? '',
    policy: destination?.policy ?? 'confirmed',
  })
  const act = useAct(
    (body: Values, sent) => service.calendarConnections.setExternalDestination(id, body, sent),
    async () => {
      form.forget()
      await acted('destination')
      notify(texts.publishingSaved)
    },
  )
  const stop = useAct<void, unknown>(
    (_, sent) => service.calendarConnections.deleteExternalDestination(id, sent),
    async () => {
      form.forget()
      await acted('destination')
      notify(texts.publishingStopped)
    },
  )
  const [open, setOpen] = useState<Open>()
  const ask = useAskPerson(id, form.values.policy, setOpen)
  const failed = [stop, ask].find((one) => one.error !== undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of the focus of its fields
    <div className="card stack" onFocus={() => setIsAsked(true)}>
      <p className="hint">{texts.publishingHint}</p>
      {destination && destination.health.failed > 0 && (
        <p className="banner">{texts.publishingTrouble(destination.health.failed)}</p>
      )}
      <Form
        form={form}
        submit={texts.savePublishing}
        act={act}
        actions={
          <>
            {destination && (
              <button type="button" className="quiet dangerous" onClick={() => stop.send()}>
                {texts.stopPublishing}
              </button>
            )}
            <button type="button" className="quiet" onClick={() => ask.send()}>
              {texts.askPerson}
            </button>
          </>
        }
      >
        <PickerField name="external_calendar_id" label={texts.externalCalendar} options={calendars} />
        <Select name="policy" label={texts.eventsField} options={policies} />
      </Form>
      {failed && <Refused error={failed.error} again={failed.again} />}
      {open && (
        <Dialog title={texts.askPerson} role="alertdialog" close={() => setOpen(undefined)}>
          <ReplaceLink open={open} ask={() => ask.send()} close={() => setOpen(undefined)} />
        </Dialog>
      )}
    </div>
  )
}

type Open = { id: string; expires_at: string }

/** The address of a link is shown once, so another link takes its place. */
function ReplaceLink({ open: { id, expires_at }, ask, close }: { open: Open; ask: () => unknown; close: () => void }) {
  const act = useAct<void, unknown>((_, sent) => service.connectionLinks.cancel(id, sent), ask)
  return (
    <Confirm label={texts.replaceLink} act={act} close={close}>
      <p>
        {texts.linkIsOpen} <Moment at={expires_at} />. {texts.replaceLinkHint}
      </p>
    </Confirm>
  )
}

/** The link is a secret: who has it connects a calendar here. */
const useAskPerson = (id: string, publication_policy: Policy, isOpenAlready: (open: Open) => void) =>
  useAct<void, Open & { setup_url: string | null }>(
    (_, sent) => service.connectionLinks.create(id, { capabilities: ['publishing'], publication_policy }, sent),
    (link) => (link.setup_url ? showSecret(link.setup_url) : isOpenAlready(link)),
  )
