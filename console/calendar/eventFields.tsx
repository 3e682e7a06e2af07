import { Check, Input, Lines, PickerField, Select } from '../parts/fields.tsx'
import { useField } from '../parts/form.tsx'
import type { Option } from '../parts/options.ts'
import { Rows } from '../parts/rows.tsx'
import { zones } from '../parts/zones.ts'
import { texts } from '../texts.ts'
import { DetailFields, PlaceFields } from './detailFields.tsx'
import { repeats } from './recurrence.ts'
import { type EventValues, noFurtherDate } from './values.ts'

const options = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
  values.map((value) => ({ value, label: labels[value] }))

type Props = {
  /** Where the event may be; an event that exists stays where it is. */
  calendars?: readonly Option[]
  /** One occurrence has no rule of its own. */
  repeats?: boolean
}

/** The fields of an event. */
export function EventFields({ calendars, repeats: mayRepeat = true }: Props) {
  const isNew = calendars !== undefined
  const { value: status } = useField<EventValues['status']>('status')
  return (
    <>
      <Input name="title" label={texts.title_} autoFocus />
      <When />
      {calendars && <PickerField name="calendar" label={texts.calendar} options={calendars} />}
      <PlaceFields />
      <Lines name="description" label={texts.description} />
      <div className="row">
        <Select
          name="status"
          label={texts.kind}
          options={options(isNew ? kinds : kinds.filter((kind) => kind !== 'hold'), texts.kinds)}
        />
        <Input name="reminders" label={texts.reminders} hint={texts.remindersHint} />
      </div>
      {isNew && status === 'hold' && (
        <div className="row">
          <Input name="hold_minutes" param="hold_expires_at" label={texts.holdFor} type="number" min={1} />
          <Input name="hold_priority" label={texts.priority} type="number" min={0} />
        </div>
      )}
      {mayRepeat && status !== 'hold' && <Repeats />}
      <Check name="require_free" label={texts.onlyIfFree} />
      <DetailFields />
    </>
  )
}

const kinds = ['confirmed', 'tentative', 'hold'] as const

function When() {
  const { value: isAllDay } = useField<boolean>('all_day')
  const param = (name: string) => (isAllDay ? name.replace('date', 'time') : name)
  return (
    <>
      <div className="row">
        <Input name="start_date" param={param('start_date')} label={texts.startDate} type="date" />
        {!isAllDay && <Input name="start_time" label={texts.startTime} type="time" />}
      </div>
      <div className="row">
        <Input name="end_date" param={param('end_date')} label={texts.endDate} type="date" />
        {!isAllDay && <Input name="end_time" label={texts.endTime} type="time" />}
      </div>
      <Check name="all_day" label={texts.allDay} />
    </>
  )
}

function Repeats() {
  const { value: repeat } = useField<EventValues['repeat']>('repeat')
  const isCustom = repeat === 'custom'
  return (
    <>
      <div className="row">
        <Select
          name="repeat"
          param={isCustom ? 'repeat' : 'recurrence_rule'}
          label={texts.repeat}
          options={options(repeats, texts.repeats)}
        />
        {repeat !== 'never' && !isCustom && (
          <Input name="occurrences" label={texts.occurrences} type="number" min={1} hint={texts.occurrencesHint} />
        )}
      </div>
      {isCustom && <Input name="recurrence_rule" label={texts.rule} hint={texts.ruleHint} />}
      {repeat !== 'never' && (
        <>
          <PickerField name="recurrence_timezone" label={texts.zoneOfSeries} options={zones} />
          <Rows
            {...{ name: 'recurrence_rdates', label: texts.furtherDates }}
            {...{ add: texts.addDate, remove: texts.removeDate, first: noFurtherDate }}
          >
            {(at) => (
              <Input
                name="at"
                param={`recurrence_rdates.${at}`}
                label={texts.furtherDate(at + 1)}
                type="datetime-local"
              />
            )}
          </Rows>
        </>
      )}
    </>
  )
}
