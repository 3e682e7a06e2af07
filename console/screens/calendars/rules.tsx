import { useState } from 'react'
import type { AvailabilityRules, FullAnswer } from '../../../clients/typescript/src/entry.ts'
import { Check, Input, PickerField } from '../../parts/fields.tsx'
import { Form, useField } from '../../parts/form.tsx'
import { Refused } from '../../parts/refused.tsx'
import { zones } from '../../parts/times.ts'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { isNotFound } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { removed, removeWithUndo } from '../../state/undo.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { DaysOfRules, keptDays } from './daysOfRules.tsx'
import { type Day, days, hoursOf, type WeekValues, weekValues } from './week.ts'

type Read = FullAnswer<AvailabilityRules> | null

/** A calendar without rules has none at its address. */
const readRules = async (id: string): Promise<Read> => {
  try {
    return await service.availabilityRules.get(id).full()
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

export function Rules({ id, timezone }: { id: string; timezone: string }) {
  const { data, error, refetch } = useRead(['one', 'availability_rules', id], () => readRules(id))
  const isGone = useStore(removed).has(`rules:${id}`)
  if (data === undefined) return error ? <Refused error={error} again={refetch} /> : null
  const shown = isGone ? null : data
  return <RulesForm key={`${shown?.etag}`} id={id} timezone={timezone} read={shown} />
}

type Values = { before: string; after: string; timezone: string; meetings: string; minutes: string } & WeekValues

const limitOf = (text: string) => (text.trim() === '' ? undefined : Number(text))

function RulesForm({ id, timezone, read }: { id: string; timezone: string; read: Read }) {
  const [before] = useState(read)
  const rules = before?.data
  const form = useForm<Values>(`rules:${id}`, {
    before: String(rules?.buffer_before_minutes ?? 0),
    after: String(rules?.buffer_after_minutes ?? 0),
    timezone: rules?.timezone ?? timezone,
    meetings: String(rules?.max_meetings_per_day ?? ''),
    minutes: String(rules?.max_busy_minutes_per_day ?? ''),
    ...weekValues(rules?.working_hours ?? null),
  })
  const act = useAct(
    (values: Values, sent) =>
      service.availabilityRules.set(
        id,
        {
          ...keptDays(rules),
          buffer_before_minutes: Number(values.before),
          buffer_after_minutes: Number(values.after),
          working_hours: hoursOf(values, rules?.working_hours ?? null),
          timezone: values.timezone,
          max_meetings_per_day: limitOf(values.meetings),
          max_busy_minutes_per_day: limitOf(values.minutes),
        },
        { ...sent, ...(before?.etag ? { ifMatch: before.etag } : {}) },
      ),
    async () => {
      form.forget()
      await acted('availability_rules')
      notify(texts.saved(texts.rules))
    },
  )
  return (
    <div className="card">
      <Form
        form={form}
        submit={texts.saveRules}
        act={act}
        actions={
          rules && (
            <button
              type="button"
              className="quiet dangerous"
              onClick={() => {
                form.forget()
                removeWithUndo(`rules:${id}`, texts.rules, async () => {
                  await service.availabilityRules.remove(id)
                  await acted('availability_rules')
                })
              }}
            >
              {texts.removeRules}
            </button>
          )
        }
      >
        <div className="row">
          <Input name="before" param="buffer_before_minutes" label={texts.bufferBefore} type="number" min={0} />
          <Input name="after" param="buffer_after_minutes" label={texts.bufferAfter} type="number" min={0} />
        </div>
        <div className="week">
          {days.map((day) => (
            <DayRow key={day} day={day} />
          ))}
        </div>
        <PickerField name="timezone" label={texts.zoneOfHours} options={zones()} />
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
        {rules && <DaysOfRules rules={rules} />}
      </Form>
    </div>
  )
}

function DayRow({ day }: { day: Day }) {
  const { value } = useField<boolean>(`${day}_on`)
  const name = texts.weekdays[day]
  return (
    <div className="day">
      <Check name={`${day}_on`} param={`working_hours.${day}`} label={name} />
      {value && (
        <div className="row">
          <Input name={`${day}_from`} param={`working_hours.${day}.start`} label={texts.dayFrom(name)} type="time" />
          <Input name={`${day}_to`} param={`working_hours.${day}.end`} label={texts.dayTo(name)} type="time" />
        </div>
      )}
    </div>
  )
}
