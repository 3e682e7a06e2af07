import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import type { Find, Option } from '../parts/options.ts'
import { Picker } from '../parts/picker.tsx'
import { useChoices } from '../parts/useChoices.ts'
import { useMay } from '../service/roles.ts'
import { texts } from '../texts.ts'
import { nearestPlaceOf, partsOf } from './places.ts'
import { useScreens } from './screens.ts'

/** The button, the keys and the dialog that lead anywhere. */
export function Palette() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) setIsOpen(true)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  return (
    <>
      <button type="button" className="quiet small" onClick={() => setIsOpen(true)}>
        {texts.search}
      </button>
      {isOpen && (
        <Dialog title={texts.palette} close={() => setIsOpen(false)}>
          <Places close={() => setIsOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

const agentPlace = ({ value, label }: Option) => ({ value: `/agents/${value}`, label: texts.agentNamed(label) })
const calendarPlace = ({ value, label }: Option) => ({
  value: `/calendars/${value}`,
  label: texts.calendarNamed(label),
})

function Places({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const { agents, calendars, findAgents, findCalendars } = useChoices()
  const screens = useScreens()
  const mayCreate = useMay('developer')
  const options: Option[] = [
    ...screens.map(({ to, label }) => ({ value: to, label: texts.goTo(label) })),
    ...(mayCreate
      ? [
          { value: '/calendar?new=event', label: texts.newEvent },
          { value: '/agents?new=agent', label: texts.newAgent },
        ]
      : []),
    ...agents.map(agentPlace),
    ...calendars.map(calendarPlace),
  ]
  const find = useCallback<Find>(
    async (text, signal) => {
      // The names without the word that their options begin with.
      const typed = text.replace(/^(agent|calendar)\s+/i, '')
      const [foundAgents = [], foundCalendars = []] = await Promise.all([
        findAgents?.(typed, signal),
        findCalendars?.(typed, signal),
      ])
      return [...foundAgents.map(agentPlace), ...foundCalendars.map(calendarPlace)]
    },
    [findAgents, findCalendars],
  )
  return (
    <form
      className="palette"
      // At once, although its list is open.
      onKeyDownCapture={({ key }) => key === 'Escape' && close()}
      onSubmit={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <Picker
        label={texts.searchOrJump}
        options={options}
        find={find}
        typedOptions={(typed) => {
          const place = nearestPlaceOf(typed)
          return place ? [{ value: place, label: texts.open(typed.trim()) }] : []
        }}
        chosen={[]}
        choose={([to]) => {
          if (!to) return
          close()
          const place = partsOf(to)
          navigate({ to: place.to, search: place.search as never })
        }}
      />
      <div className="actions">
        <button type="button" className="quiet" onClick={close}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
