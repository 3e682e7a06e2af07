import { useEffect, useState } from 'react'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useMay } from '../service/roles.ts'
import { removed } from '../state/undo.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { type EventRef, eventOf, eventParam } from './address.ts'
import { Crowd } from './crowd.tsx'
import type { Stretch } from './drag.ts'
import { EditEvent } from './editEvent.tsx'
import { refOf } from './edits.ts'
import { type Item, keyOf } from './items.ts'
import { NewEvent } from './newEvent.tsx'
import { Panel } from './panel.tsx'
import { useRemoval } from './removal.tsx'
import { suggested } from './suggested.ts'
import type { useScreen } from './useScreen.ts'

type Creating = { stretch: Stretch; isDrawn: boolean; calendarId: string }

/** The dialogs of the calendar. The panel stands in the address. */
export function useDialogs(
  { address, known, today, days, filters }: ReturnType<typeof useScreen>,
  events: readonly EventInstance[],
) {
  const { tz, cal, event } = address
  const [creating, setCreating] = useState<Creating | undefined>()
  const [editing, setEditing] = useState<EventRef | undefined>()
  const [crowd, setCrowd] = useState<{ items: readonly Item[]; title: string } | undefined>()
  const removal = useRemoval()
  const gone = useStore(removed)
  const open = (ref: EventRef | undefined) => filters.set({ event: ref && eventParam(ref) })
  const calendarOf = (id: string) => known.find((one) => one.id === id)
  const usual = calendarOf(cal[0] ?? '') ?? known[0]

  const mayChange = useMay('developer')
  const create = () => {
    if (usual && mayChange) setCreating({ stretch: suggested(today, days), isDrawn: false, calendarId: usual.id })
  }

  const isAsked = filters.values.new === 'event' && usual !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is asked for
  useEffect(() => {
    if (!isAsked) return
    create()
    filters.set({ new: undefined }, { replace: true })
  }, [isAsked])

  const acts = {
    open: ({ event }: Item) => open(refOf(event)),
    edit: ({ event }: Item) => setEditing(refOf(event)),
    remove: ({ event }: Item) => removal.remove(event),
    create(stretch: Stretch, calendarId?: string) {
      const id = calendarId ?? usual?.id
      if (id) setCreating({ stretch, isDrawn: true, calendarId: id })
    },
    openMore: (items: readonly Item[], title: string) => setCrowd({ items, title }),
  }

  const shown = (
    <>
      {event && known.length > 0 && !gone.has(event) && (
        <Panel
          key={event}
          event={eventOf(event)}
          shown={events.find((one) => keyOf(one) === event)}
          calendarOf={calendarOf}
          zone={tz}
          edit={(one) => {
            open(undefined)
            setEditing(refOf(one))
          }}
          remove={(one) => {
            open(undefined)
            removal.remove(one)
          }}
          close={() => open(undefined)}
        />
      )}
      {crowd && (
        <Crowd
          {...crowd}
          open={(item) => {
            setCrowd(undefined)
            acts.open(item)
          }}
          close={() => setCrowd(undefined)}
        />
      )}
      {creating && (
        <Dialog title={texts.newEvent} close={() => setCreating(undefined)}>
          <NewEvent {...creating} calendars={known} zone={tz} close={() => setCreating(undefined)} />
        </Dialog>
      )}
      {editing && (
        <Dialog title={texts.editEvent} close={() => setEditing(undefined)}>
          <EditEvent
            event={editing}
            zone={tz}
            homeOf={(id) => calendarOf(id)?.timezone ?? tz}
            close={() => setEditing(undefined)}
          />
        </Dialog>
      )}
      {removal.dialog}
    </>
  )
  return { acts, create, shown }
}
