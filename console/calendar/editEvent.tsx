import { useEffect, useRef, useState } from 'react'
import type { EventInstance, FullAnswer } from '../../clients/typescript/src/entry.ts'
import { callLabels } from '../parts/callFields.tsx'
import { Edit } from '../parts/edit.tsx'
import { Refused } from '../parts/refused.tsx'
import { acted } from '../service/live.ts'
import { isNotFound, OfflineError } from '../service/refusal.ts'
import { useRead } from '../service/useRead.ts'
import { notify } from '../state/notices.ts'
import { texts } from '../texts.ts'
import { type EventRef, eventParam } from './address.ts'
import { AskScope } from './askScope.tsx'
import { updateBody } from './bodies.ts'
import { type Link, linksText } from './details.ts'
import { type ReadEvent, readEvent, type Scope, tagOf, updateEvent } from './edits.ts'
import { EventFields } from './eventFields.tsx'
import { adjusted, type EventValues, valuesOf, withOtherTime } from './values.ts'

type Props = { event: EventRef; zone: string; homeOf: (calendarId: string) => string; close: () => void }

export function EditEvent({ event: ref, zone, homeOf, close }: Props) {
  const key = ['one', 'event', ref.id, ref.original, 'edit']
  const { data, error, refetch, isPaused } = useRead(key, () => readEvent(ref).catch(nullIfGone), { fresh: true })
  // Somebody else deletes it meanwhile: what was typed stays, and the service says it when it is sent.
  const [last, setLast] = useState<ReadEvent | undefined>()
  useEffect(() => {
    if (data) setLast(data)
  }, [data])
  const read = data ?? last
  if (read) return <EditForm {...{ read, event: ref, zone, homeOf, close }} />
  if (data === null) return <p>{texts.notFoundHint}</p>
  const failed = error ?? (isPaused && new OfflineError())
  return failed ? <Refused error={failed} again={refetch} /> : null
}

function nullIfGone(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}

type Asked = { isOfSeries: boolean; send: () => unknown }

const ofSeries = ['repeat', 'occurrences', 'recurrence_rule', 'recurrence_timezone', 'recurrence_rdates']

function EditForm({ read, event: ref, zone, homeOf, close }: Props & { read: ReadEvent }) {
  const home = homeOf(read.one.data.calendarId)
  const valuesIn = (event: EventInstance) => valuesOf(event, zone, home)
  const [asked, setAsked] = useState<Asked | undefined>()
  const scope = useRef<Scope>('one')
  const latest = useRef(read)

  /** The tag is of what the change is made to: one occurrence, or the series. */
  async function readAgain(): Promise<FullAnswer<EventInstance>> {
    latest.current = await readEvent(ref)
    return { ...latest.current.one, etag: tagOf(latest.current, scope.current) }
  }

  return (
    <>
      <Edit<EventInstance, EventValues>
        name={`event:${eventParam(ref)}`}
        record={read.one}
        valuesOf={valuesIn}
        labels={labels}
        shownOf={{
          links: (links) => linksText(links as readonly Link[]),
          recurrence_rdates: (dates) => (dates as EventValues['recurrence_rdates']).map(({ at }) => at).join(', '),
        }}
        adjust={adjusted}
        timeOf={(values, time) => withOtherTime(values, time, zone)}
        ask={(changed, send) => {
          if (!ref.original || Object.keys(changed).length === 0) return send()
          setAsked({ isOfSeries: ofSeries.some((name) => name in changed), send })
        }}
        update={(changed, sent, values) => {
          const { one, series } = latest.current
          const ifMatch = sent.ifMatch === one.etag ? tagOf(latest.current, scope.current) : sent.ifMatch
          const whole = scope.current === 'all' && series ? valuesIn(series.data) : undefined
          const body = updateBody({ changed, values, before: valuesIn(one.data), whole, zone, home })
          return updateEvent(ref, scope.current, body, { ...sent, ...(ifMatch && { ifMatch }) })
        }}
        readAgain={readAgain}
        done={async () => {
          await acted('event')
          close()
          notify(texts.saved(texts.event))
        }}
        cancel={close}
      >
        <EventFields />
      </Edit>
      {asked && (
        <AskScope
          title={texts.changeSeries}
          submit={texts.save}
          isOfSeries={asked.isOfSeries}
          choose={(chosen) => {
            scope.current = chosen
            setAsked(undefined)
            asked.send()
          }}
          close={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

const labels: Partial<Record<keyof EventValues, string>> = {
  title: texts.title_,
  description: texts.description,
  location: texts.eventDetails.location,
  ...callLabels,
  transparency: texts.eventDetails.transparency,
  visibility: texts.eventDetails.visibility,
  labels: texts.eventDetails.labels,
  color: texts.eventDetails.color,
  links: texts.eventDetails.links,
  all_day: texts.allDay,
  start_date: texts.startDate,
  start_time: texts.startTime,
  end_date: texts.endDate,
  end_time: texts.endTime,
  status: texts.kind,
  reminders: texts.reminders,
  require_free: texts.onlyIfFree,
  repeat: texts.repeat,
  occurrences: texts.occurrences,
  recurrence_rule: texts.rule,
  recurrence_timezone: texts.zoneOfSeries,
  recurrence_rdates: texts.furtherDates,
  metadata: texts.metadata,
}
