import { useMemo, useRef, useState } from 'react'
import { useKeys } from '../frame/shortcuts.ts'
import { A } from '../parts/a.tsx'
import { Allowed } from '../parts/allowed.tsx'
import { dayStart } from '../parts/days.ts'
import { Refused } from '../parts/refused.tsx'
import { Screen } from '../parts/screen.tsx'
import { useMay } from '../service/roles.ts'
import { texts } from '../texts.ts'
import { calOf } from './address.ts'
import { ChosenCalendars } from './chosenCalendars.tsx'
import { columnsOf, type DayColumn } from './columns.ts'
import { headingOf, stepped } from './dates.ts'
import { DayLists } from './dayLists.tsx'
import { freeOn } from './freeTimes.ts'
import { Grid } from './grid.tsx'
import { useMoves } from './moves.tsx'
import { Options, Toolbar } from './toolbar.tsx'
import { useClock } from './useClock.ts'
import { useDialogs } from './useDialogs.tsx'
import { useEvents } from './useEvents.ts'
import { useFreeTimes } from './useFreeTimes.ts'
import { useItems } from './useItems.ts'
import { useScreen } from './useScreen.ts'

const noEvents: never[] = []
const noFree = new Map<string, never>()

export function Calendar() {
  const screen = useScreen()
  const { address, calendars, known, today, days, shown, filters } = screen
  const { view, date, cal, tz, tz2 } = address
  const isGrid = view === 'day' || view === 'week'
  const isSplit = address.isSplit && isGrid
  const window = { start: dayStart(days[0]!, tz), end: dayStart(days.at(-1)!, tz, 1) }
  const events = useEvents(cal, window)
  const moves = useMoves(tz)
  const items = useItems(events.data ?? noEvents, known, shown, moves.moved)
  const [chosenIds, dates] = [cal.join(), days.join()]
  const drawn = useRef<readonly DayColumn[]>([])
  const columns = useMemo(() => {
    const chosen = known.filter(({ id }) => chosenIds.includes(id))
    return columnsOf(items, dates.split(','), isSplit ? chosen : undefined, texts.column, drawn.current)
  }, [items, known, chosenIds, isSplit, dates])
  drawn.current = columns
  const [isFree, setIsFree] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const free = useFreeTimes(isFree && isGrid, cal, window)
  const failed = [calendars, events, free].find(({ error }) => error)
  const clock = useClock()
  const dialogs = useDialogs(screen, events.data ?? noEvents)
  const set = (change: Record<string, string | undefined>) => filters.set(change)
  const acts = { ...dialogs.acts, moves: moves.moves, mayChange: useMay('developer') }

  useKeys({
    c: dialogs.create,
    t: () => set({ date: today.date }),
    j: () => set({ date: stepped(view, date, 1) }),
    k: () => set({ date: stepped(view, date, -1) }),
    d: () => set({ view: 'day' }),
    w: () => set({ view: 'week' }),
    m: () => set({ view: 'month' }),
    a: () => set({ view: 'agenda' }),
  })

  if (calendars.data && known.length === 0) return <NoCalendars />
  const freeIn = (shown: readonly DayColumn[]) =>
    new Map(shown.map(({ id, date, calendar }) => [id, freeOn(date, free.of(calendar?.id), tz, clock)]))
  const listed = { columns, items, today: today.date, acts, zone: tz, month: date }
  return (
    <Screen
      heading={texts.calendar}
      actions={
        <Allowed>
          <button type="button" onClick={dialogs.create}>
            {texts.newEvent}
          </button>
        </Allowed>
      }
    >
      <Toolbar address={address} heading={headingOf(view, date, days)} today={today.date} set={set} />
      <button
        type="button"
        className="quiet small calendar-options-button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {texts.options}
      </button>
      <div className={isOpen ? 'calendar-options open' : 'calendar-options'}>
        <ChosenCalendars calendars={known} chosen={cal} choose={(ids) => set({ cal: calOf(ids) })} />
        <Options address={address} set={set} isFree={isFree} turnFree={setIsFree} />
      </div>
      {failed && <Refused error={failed.error} again={failed.refetch} />}
      {calendars.data && cal.length === 0 && <p className="muted">{texts.noCalendarChosen}</p>}
      {calendars.data && isGrid && (
        <Grid
          {...{ columns, items, date, today, acts }}
          key={view}
          zones={[tz, tz2].filter(Boolean)}
          free={isFree ? freeIn(columns) : noFree}
          showsCalendar={!isSplit && cal.length > 1}
        />
      )}
      {calendars.data && !isGrid && <DayLists {...listed} kind={view} toDay={(date) => set({ date, view: 'day' })} />}
      {dialogs.shown}
      {moves.dialogs}
    </Screen>
  )
}

const NoCalendars = () => (
  <Screen heading={texts.calendar}>
    <div className="empty">
      <p>{texts.none(texts.calendars)}</p>
      <p>{texts.noCalendarHint}</p>
      <A to="/agents">{texts.toAgents}</A>
    </div>
  </Screen>
)
