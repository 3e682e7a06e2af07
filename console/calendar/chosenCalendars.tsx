import { texts } from '../texts.ts'
import type { ShownCalendar } from './items.ts'

type Props = { calendars: readonly ShownCalendar[]; chosen: readonly string[]; choose: (ids: string[]) => void }

/** Which calendars are shown. The mark repeats the colour of their events. */
export const ChosenCalendars = ({ calendars, chosen, choose }: Props) => (
  <fieldset className="chosen-calendars">
    <legend>{texts.calendars}</legend>
    {calendars.map(({ id, name, hue }) => (
      <label key={id} className={`hue-${hue}`}>
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={({ target }) => choose(calendars.map((one) => one.id).filter(isChosen(id, target.checked, chosen)))}
        />
        {name}
      </label>
    ))}
  </fieldset>
)

const isChosen = (id: string, isOn: boolean, chosen: readonly string[]) => (one: string) =>
  one === id ? isOn : chosen.includes(one)
