import { useEffect, useId, useState } from 'react'
import { Filter } from '../parts/fields.tsx'
import { PickerFilter } from '../parts/pickerFilter.tsx'
import { Switch } from '../parts/switch.tsx'
import { zones } from '../parts/zones.ts'
import { texts } from '../texts.ts'
import { type Address, tz2Of } from './address.ts'
import { isDate, stepped, type View, views } from './dates.ts'

type Change = Record<string, string | undefined>
type Props = { address: Address; heading: string; today: string; set: (change: Change) => void }

/** Which days are shown. */
export function Toolbar({ address, heading, today, set }: Props) {
  const { view, date } = address
  return (
    <div className="calendar-bar">
      <div className="actions">
        <button type="button" className="quiet" onClick={() => set({ date: today })}>
          {texts.today}
        </button>
        <button type="button" className="quiet" onClick={() => set({ date: stepped(view, date, -1) })}>
          {texts.previous}
        </button>
        <button type="button" className="quiet" onClick={() => set({ date: stepped(view, date, 1) })}>
          {texts.next}
        </button>
      </div>
      <h2 aria-live="polite">{heading}</h2>
      <Filter
        label={texts.view}
        value={view}
        options={views.map((value) => ({ value, label: texts.views[value] }))}
        choose={(view) => set({ view: view as View })}
      />
      <GoTo date={date} go={(date) => set({ date })} />
    </div>
  )
}

/** A date that is typed part by part counts once it is one. */
function GoTo({ date, go }: { date: string; go: (date: string) => void }) {
  const [typed, setTyped] = useState(date)
  const id = useId()
  useEffect(() => setTyped(date), [date])
  return (
    <div className="field">
      <label htmlFor={id}>{texts.goToDate}</label>
      <input
        id={id}
        type="date"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          if (isDate(target.value)) go(target.value)
        }}
      />
    </div>
  )
}

type OptionsProps = {
  address: Address
  set: (change: Change) => void
  isFree: boolean
  turnFree: (isOn: boolean) => void
}

/** How they are shown. */
export function Options({ address, set, isFree, turnFree }: OptionsProps) {
  const { isSplit, tz, tz2 } = address
  return (
    <>
      <Filter
        label={texts.columns}
        value={isSplit ? 'split' : 'together'}
        options={[
          { value: 'split', label: texts.perCalendar },
          { value: 'together', label: texts.together },
        ]}
        choose={(columns) => set({ columns })}
      />
      <PickerFilter label={texts.timezone} options={zones} value={tz} choose={(tz) => set({ tz })} />
      <PickerFilter
        label={texts.secondTimezone}
        options={zones}
        value={tz2}
        choose={(zone = '') => set({ tz2: tz2Of(zone) })}
      />
      <Switch label={texts.freeTimes} isOn={isFree} least="viewer" turn={async (isOn) => turnFree(isOn)} />
    </>
  )
}
