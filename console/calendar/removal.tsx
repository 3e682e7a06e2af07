import { useState } from 'react'
import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { service } from '../service/service.ts'
import { alarm } from '../state/notices.ts'
import { removeWithUndo } from '../state/undo.ts'
import { texts } from '../texts.ts'
import { AskScope } from './askScope.tsx'
import { deleteEvent, refOf, type Scope } from './edits.ts'
import { fromOn, isSeries, keyOf } from './items.ts'

/** Deletes an event with a way back; of a series, it asks which of its events. */
export function useRemoval() {
  const [asking, setAsking] = useState<EventInstance | undefined>()

  function remove(event: EventInstance) {
    if (isSeries(event)) return setAsking(event)
    removeWithUndo(keyOf(event), texts.event, () => deleteEvent(refOf(event), 'one', undefined))
  }

  /** The service ends a series before an occurrence, but not before its first one. */
  async function removeOf(event: EventInstance, scope: Scope) {
    try {
      const first = scope === 'following' ? (await service.events.getById(event.id)).startTime : undefined
      const id = { one: keyOf(event), following: fromOn(event), all: event.id }[scope]
      removeWithUndo(id, texts.event, () => deleteEvent(refOf(event), scope, first))
    } catch (error) {
      alarm(error)
    }
  }

  const dialog = asking && (
    <AskScope
      title={texts.deleteSeries}
      submit={texts.delete}
      choose={(scope) => {
        setAsking(undefined)
        removeOf(asking, scope)
      }}
      close={() => setAsking(undefined)}
    />
  )
  return { remove, dialog }
}
