import { useState } from 'react'
import { Input, PickerField } from '../../parts/fields.tsx'
import { useField } from '../../parts/form.tsx'
import { Rows } from '../../parts/rows.tsx'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { noDates, noTimeOff } from './days.ts'

const words = texts.ruleDays

/** The days and times that do not follow the week. */
export const DaysFields = () => (
  <>
    <Rows
      {...{ name: 'dates', label: words.dates, hint: words.datesHint }}
      {...{ add: words.addDates, remove: words.removeDates, first: noDates }}
    >
      {(at) => (
        <>
          <Input name="from" param={`dates.${at}.from`} label={words.datesFrom(at + 1)} type="date" />
          <Input name="to" param={`dates.${at}.to`} label={words.datesTo(at + 1)} type="date" />
          <Input name="hours" param={`dates.${at}.hours`} label={words.datesHours(at + 1)} />
          <Input name="label" param={`dates.${at}.label`} label={words.datesLabel(at + 1)} />
        </>
      )}
    </Rows>
    <Rows
      {...{ name: 'time_off', label: words.timeOff, hint: words.timeOffHint }}
      {...{ add: words.addTimeOff, remove: words.removeTimeOff, first: noTimeOff }}
    >
      {(at) => (
        <>
          <Input name="start" param={`time_off.${at}.start`} label={words.timeOffFrom(at + 1)} type="datetime-local" />
          <Input name="end" param={`time_off.${at}.end`} label={words.timeOffTo(at + 1)} type="datetime-local" />
          <Input name="label" param={`time_off.${at}.label`} label={words.timeOffLabel(at + 1)} />
        </>
      )}
    </Rows>
    <Holidays />
  </>
)

const limit = 100

/** The subscriptions are read when a person turns to them, or when some are chosen. */
function Holidays() {
  const { value: chosen } = useField<readonly string[]>('holiday_subscription_ids')
  const [isAsked, setIsAsked] = useState(false)
  const { data } = useRead(
    ['list', 'ical_subscription', 'choices'],
    (options) => service.icalSubscriptions.listAll({ ...options, limit }),
    { enabled: isAsked || chosen.length > 0 },
  )
  const options = (data?.data ?? []).map(({ id, label }) => ({ value: id, label: label || id }))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of the focus of its field
    <div onFocus={() => setIsAsked(true)}>
      <PickerField
        name="holiday_subscription_ids"
        label={words.holidays}
        hint={words.holidaysHint}
        options={options}
        several
      />
    </div>
  )
}
