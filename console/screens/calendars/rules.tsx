import type { AvailabilityRules, FullAnswer } from '../../../clients/typescript/src/entry.ts'
import { Edit } from '../../parts/edit.tsx'
import { Input, PickerField } from '../../parts/fields.tsx'
import { Refused } from '../../parts/refused.tsx'
import { hoursOf, hoursText, type WeekValues, weekValues } from '../../parts/week.ts'
import { WeekFields } from '../../parts/weekFields.tsx'
import { zones } from '../../parts/zones.ts'
import { acted } from '../../service/live.ts'
import { isNotFound } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { removed, removeWithUndo } from '../../state/undo.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { type DatesRow, type DaysValues, datesText, daysBody, daysOf, type TimeOffRow, timeOffText } from './days.ts'
import { DaysFields } from './daysFields.tsx'

type Record = Omit<AvailabilityRules, 'id' | 'calendar_id' | 'created_at' | 'updated_at'>
type Read = Pick<FullAnswer<Record>, 'data' | 'etag'>

/** A calendar without rules has none at its address. */
async function readRules(id: string, timezone: string): Promise<Read> {
  try {
    return await service.availabilityRules.get(id).full()
  } catch (error) {
    if (isNotFound(error)) return withoutRules(timezone)
    throw error
  }
}

const withoutRules = (timezone: string): Read => ({
  data: { buffer_before_minutes: 0, buffer_after_minutes: 0, working_hours: null, timezone },
  etag: null,
})

type Values = DaysValues & {
  before: string
  after: string
  working_hours: WeekValues
  timezone: string
  meetings: string
  minutes: string
}

const limitOf = (text: string) => (text.trim() === '' ? undefined : Number(text))

const valuesOf = (rules: Record): Values => ({
  before: String(rules.buffer_before_minutes),
  after: String(rules.buffer_after_minutes),
  working_hours: weekValues(rules.working_hours ?? null),
  timezone: rules.timezone,
  meetings: String(rules.max_meetings_per_day ?? ''),
  minutes: String(rules.max_busy_minutes_per_day ?? ''),
  ...daysOf(rules, rules.timezone),
})

const labels = {
  before: texts.bufferBefore,
  after: texts.bufferAfter,
  working_hours: texts.hours,
  timezone: texts.zoneOfHours,
  meetings: texts.maxMeetings,
  minutes: texts.maxBusyMinutes,
  dates: texts.ruleDays.dates,
  time_off: texts.ruleDays.timeOff,
  holiday_subscription_ids: texts.ruleDays.holidays,
}

export function Rules({ id, timezone }: { id: string; timezone: string }) {
  const { data, error, refetch } = useRead(['one', 'availability_rules', id], () => readRules(id, timezone))
  const isGone = useStore(removed).has(`rules:${id}`)
  if (data === undefined) return error ? <Refused error={error} again={refetch} /> : null
  const record = isGone ? withoutRules(timezone) : data
  return (
    <div className="card">
      <Edit<Record, Values>
        key={`${isGone}`}
        name={`rules:${id}`}
        submit={texts.saveRules}
        record={record}
        valuesOf={valuesOf}
        labels={labels}
        shownOf={{
          working_hours: (hours) => hoursText(hours as WeekValues, texts.weekdays),
          dates: (rows) => datesText(rows as readonly DatesRow[], texts.ruleDays.closed),
          time_off: (rows) => timeOffText(rows as readonly TimeOffRow[]),
        }}
        update={(changed, options, _, over) => {
          const values = { ...valuesOf(over), ...changed }
          const body = {
            ...daysBody(values, values.timezone, over),
            buffer_before_minutes: Number(values.before),
            buffer_after_minutes: Number(values.after),
            working_hours: hoursOf(values.working_hours, over.working_hours ?? null),
            timezone: values.timezone,
            max_meetings_per_day: limitOf(values.meetings),
            max_busy_minutes_per_day: limitOf(values.minutes),
          }
          // Rules that somebody else made meanwhile are not overwritten unseen.
          const { ifMatch } = options
          return service.availabilityRules.set(id, body, ifMatch ? options : { ...options, ifNoneMatch: '*' })
        }}
        readAgain={() => readRules(id, timezone)}
        done={async () => {
          await acted('availability_rules')
          notify(texts.saved(texts.rules))
        }}
        actions={
          record.etag && (
            <button
              type="button"
              className="quiet dangerous"
              onClick={() =>
                removeWithUndo(`rules:${id}`, texts.rules, async () => {
                  await service.availabilityRules.remove(id)
                  await acted('availability_rules')
                })
              }
            >
              {texts.removeRules}
            </button>
          )
        }
      >
        <div className="row">
          <Input
            name="before"
            param="buffer_before_minutes"
            label={texts.bufferBefore}
            hint={texts.bufferHint}
            type="number"
            min={0}
          />
          <Input
            name="after"
            param="buffer_after_minutes"
            label={texts.bufferAfter}
            hint={texts.bufferHint}
            type="number"
            min={0}
          />
        </div>
        <WeekFields name="working_hours" />
        <PickerField name="timezone" label={texts.zoneOfHours} options={zones} />
        <div className="row">
          <Input
            name="meetings"
            param="max_meetings_per_day"
            label={texts.maxMeetings}
            hint={texts.limitHint}
            type="number"
            min={1}
          />
          <Input
            name="minutes"
            param="max_busy_minutes_per_day"
            label={texts.maxBusyMinutes}
            hint={texts.limitHint}
            type="number"
            min={1}
          />
        </div>
        <DaysFields />
      </Edit>
    </div>
  )
}
