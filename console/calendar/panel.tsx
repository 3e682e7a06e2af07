import { notFound } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { CopyButton } from '../parts/copyButton.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Refused } from '../parts/refused.tsx'
import { State } from '../parts/state.tsx'
import { isNotFound } from '../service/refusal.ts'
import { useMay } from '../service/roles.ts'
import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import { texts } from '../texts.ts'
import { type EventRef, eventParam } from './address.ts'
import { DetailFacts } from './detailFacts.tsx'
import { History } from './history.tsx'
import { HoldActs } from './holdActs.tsx'
import { hasLapsed } from './holds.ts'
import { isImported, stateOf } from './items.ts'
import { whenText } from './whenText.ts'

type Props = {
  event: EventRef
  /** As the calendar shows it, if it does. */
  shown: EventInstance | undefined
  calendarOf: (id: string) => { name: string; timezone: string } | undefined
  zone: string
  edit: (event: EventInstance) => void
  remove: (event: EventInstance) => void
  close: () => void
}

/** Null if it is gone. */
const readOne = async ({ id, original }: EventRef): Promise<EventInstance | null> => {
  try {
    return await service.events.getById(id, original ? { occurrence_start: original } : {})
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

const isOver = (event: EventInstance) => event.status === 'cancelled' || hasLapsed(event, Date.now())

/** All about one event. It closes when the event is gone. */
export function Panel({ event: ref, shown, calendarOf, zone, edit, remove, close }: Props) {
  const { data, error, refetch } = useRead(['one', 'event', ref.id, ref.original], () => readOne(ref), {
    enabled: shown === undefined,
  })
  const mayChange = useMay('developer')
  const event = shown ?? data
  const wasThere = useRef(false)
  if (event && !isOver(event)) wasThere.current = true
  if (event === null && !wasThere.current) throw notFound()
  const isGone = wasThere.current && (event === null || (event !== undefined && isOver(event)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the event closes it
  useEffect(() => {
    if (isGone) close()
  }, [isGone])

  if (!event) return error ? <Refused error={error} again={refetch} /> : null
  const calendar = calendarOf(event.calendarId)
  return (
    <Dialog title={event.title} close={close}>
      <div className="stack">
        <Facts>
          <Fact name={texts.when}>{whenText(event, zone, calendar?.timezone ?? zone)}</Fact>
          <Fact name={texts.calendar}>{calendar?.name ?? event.calendarId}</Fact>
          <Fact name={texts.state}>
            <State of={stateOf(event)} />
          </Fact>
          {event.description && (
            <Fact name={texts.description}>
              <span className="written">{event.description}</span>
            </Fact>
          )}
          <DetailFacts event={event} />
          {event.recurrenceRule && <Fact name={texts.rule}>{event.recurrenceRule}</Fact>}
          {event.recurrenceRdates && (
            <Fact name={texts.furtherDates}>
              <ul className="plain">
                {event.recurrenceRdates.map((at) => (
                  <li key={at}>
                    <Moment at={at} />
                  </li>
                ))}
              </ul>
            </Fact>
          )}
          {event.reminders && <Fact name={texts.reminders}>{event.reminders.join(', ')}</Fact>}
        </Facts>
        {event.status === 'hold' && !isImported(event) && !isOver(event) && <HoldActs event={event} />}
        <History event={event} />
        <div className="actions">
          {mayChange && !isImported(event) && event.status !== 'hold' && (
            <button type="button" onClick={() => edit(event)}>
              {texts.edit}
            </button>
          )}
          {mayChange && !isImported(event) && (
            <button type="button" className="quiet dangerous" onClick={() => remove(event)}>
              {texts.delete}
            </button>
          )}
          <CopyButton label={texts.copyLink} text={linkTo(ref)} />
          <button type="button" className="quiet" onClick={close}>
            {texts.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

const linkTo = (ref: EventRef) => {
  const link = new URL(location.href)
  link.searchParams.set('event', eventParam(ref))
  return link.href
}
