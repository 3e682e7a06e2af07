import { texts } from '../texts.ts'
import { Check, Input } from './fields.tsx'
import { useField, Within } from './form.tsx'
import { type Day, days, type WeekValues } from './week.ts'

/** The days of a week with their hours: one value of the form, by the name that the API gives to it. */
export function WeekFields({ name }: { name: string }) {
  const { value } = useField<WeekValues>(name)
  const hasHours = days.some((day) => value[`${day}_on`])
  return (
    <Within name={name}>
      <div className="week">
        {days.map((day) => (
          <DayRow key={day} day={day} param={`${name}.${day}`} />
        ))}
        <p className="hint">{hasHours ? texts.alsoHint : texts.noDayHint}</p>
      </div>
    </Within>
  )
}

function DayRow({ day, param }: { day: Day; param: string }) {
  const { value } = useField<boolean>(`${day}_on`)
  const name = texts.weekdays[day]
  return (
    <div className="day">
      <Check name={`${day}_on`} param={param} label={name} />
      {value && (
        <div className="row">
          <Input name={`${day}_from`} param={`${param}.start`} label={texts.dayFrom(name)} type="time" />
          <Input name={`${day}_to`} param={`${param}.end`} label={texts.dayTo(name)} type="time" />
          <Input name={`${day}_also`} param={`${param}.1`} label={texts.dayAlso(name)} />
        </div>
      )}
    </div>
  )
}
