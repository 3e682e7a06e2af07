import type { AvailabilityRules } from '../../../clients/typescript/src/entry.ts'
import { texts } from '../../texts.ts'

type Days = Pick<AvailabilityRules, 'dates' | 'time_off' | 'holiday_subscription_ids'>

/** Rules about single days, which the form shows only. A save replaces all rules, so they are sent again. */
export const keptDays = (rules: Days) => ({
  ...(rules.dates && { dates: rules.dates }),
  ...(rules.time_off && { time_off: rules.time_off }),
  ...(rules.holiday_subscription_ids && { holiday_subscription_ids: rules.holiday_subscription_ids }),
})

export function DaysOfRules({ rules }: { rules: Days }) {
  const { dates = [], time_off = [], holiday_subscription_ids = [] } = rules
  if (dates.length + time_off.length + holiday_subscription_ids.length === 0) return null
  return (
    <>
      <Lines title={texts.ownDays} lines={dates.map(lineOfDates)} />
      <Lines title={texts.timeOff} lines={time_off.map(({ start, end, label }) => line(`${start} – ${end}`, label))} />
      {holiday_subscription_ids.length > 0 && <p>{texts.holidayFeeds(holiday_subscription_ids.length)}</p>}
      <p className="hint">{texts.daysHint}</p>
    </>
  )
}

function lineOfDates({ from, to, hours, label }: NonNullable<AvailabilityRules['dates']>[number]): string {
  const open = hours.map(({ start, end }) => `${start}–${end}`).join(', ')
  return line(`${from}${to ? ` – ${to}` : ''}: ${open || texts.closedDay}`, label)
}

const line = (text: string, label: string | undefined) => (label ? `${text} (${label})` : text)

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div className="field">
      <p>{title}</p>
      <ul className="plain">
        {lines.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
