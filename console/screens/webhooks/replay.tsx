import { useState } from 'react'
import { dateIn } from '../../parts/dates.ts'
import { dayStart } from '../../parts/days.ts'
import { Check, Input, Radios } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Refused } from '../../parts/refused.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'

type Only = 'failed' | 'undelivered' | 'all'

export function Replay({ id, close }: { id: string; close: () => void }) {
  const [started, setStarted] = useState<string>()
  const form = useForm<{ from: string; to: string; only: Only; include_missed: boolean }>(undefined, {
    from: dateIn(new Date(), settings.get().timezone),
    to: '',
    only: 'failed',
    include_missed: false,
  })
  const act = useAct(
    ({ from, to, ...body }: typeof form.values, sent) => {
      const zone = settings.get().timezone
      // The last day is part of the window.
      const window = { from: from && dayStart(from, zone), ...(to && { to: dayStart(to, zone, 1) }) }
      return service.webhooks.replay(id, { ...body, ...window }, sent)
    },
    (replay) => setStarted(replay.id),
  )
  if (started) return <Progress id={id} replay={started} close={close} />
  return (
    <Form form={form} submit={texts.startReplay} act={act} cancel={close}>
      <div className="row">
        <Input name="from" label={texts.from} type="date" autoFocus />
        <Input name="to" label={texts.to} type="date" />
      </div>
      <Radios
        label={texts.deliveries}
        options={[
          { value: 'failed', label: texts.failed },
          { value: 'undelivered', label: texts.undelivered },
          { value: 'all', label: texts.all },
        ]}
        value={form.values.only}
        choose={(only) => form.set({ only: only as Only })}
      />
      <Check name="include_missed" label={texts.includeMissed} />
    </Form>
  )
}

function Progress({ id, replay, close }: { id: string; replay: string; close: () => void }) {
  const { data, error, refetch } = useRead(
    ['one', 'replay', replay],
    (options) => service.webhooks.getReplay(id, replay, options),
    { everyMs: (read) => read?.status !== 'done' && 1_000, fresh: true },
  )
  const text = data && texts.sentOf(data.progress, data.matched)
  return (
    <div className="stack">
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <progress
            aria-label={texts.replay}
            aria-valuetext={text}
            max={Math.max(1, data.matched)}
            value={data.matched === 0 ? 1 : data.progress}
          />
          <p role="status">{text}</p>
        </>
      )}
      <div className="actions">
        <button
          type="button"
          onClick={() => {
            acted('delivery')
            close()
          }}
        >
          {texts.done}
        </button>
      </div>
    </div>
  )
}
