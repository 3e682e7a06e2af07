import { useEffect } from 'react'
import { Form } from '../parts/form.tsx'
import { useForm } from '../parts/useForm.ts'
import { acted } from '../service/live.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { notify } from '../state/notices.ts'
import { texts } from '../texts.ts'
import { createBody } from './bodies.ts'
import type { Stretch } from './drag.ts'
import { EventFields } from './eventFields.tsx'
import type { ShownCalendar } from './items.ts'
import { adjusted, type EventValues, newValues, withOtherTime } from './values.ts'

type Props = {
  stretch: Stretch
  /** The person has drawn it: it counts more than an earlier draft. */
  isDrawn: boolean
  calendarId: string
  calendars: readonly ShownCalendar[]
  zone: string
  close: () => void
}

export function NewEvent({ stretch, isDrawn, calendarId, calendars, zone, close }: Props) {
  const first = newValues(stretch, calendarId, zone)
  const form = useForm<EventValues>('new-event', first, [], adjusted)
  const homeOf = (id: string) => calendars.find((one) => one.id === id)?.timezone ?? zone
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    if (!isDrawn || !form.isRestored) return
    const { start_date, start_time, end_date, end_time, calendar } = first
    form.set({ start_date, start_time, end_date, end_time, calendar, all_day: false })
  }, [])
  const act = useAct(
    (values: EventValues, sent) =>
      service.events.create(values.calendar, createBody(values, zone, homeOf(values.calendar), Date.now()), {
        ...sent,
        explain: true,
      }),
    async () => {
      form.forget()
      await acted('event')
      close()
      notify(texts.created(texts.event))
    },
  )
  return (
    <Form
      form={form}
      submit={texts.save}
      act={act}
      cancel={close}
      timeOf={(values, time) => withOtherTime(values, time, zone)}
    >
      <EventFields calendars={calendars.map(({ id, name }) => ({ value: id, label: name }))} />
    </Form>
  )
}
