// A calendar with hours of its own: at most three meetings a day, whatever asks for one at the same moment, while its dates and times off are
// rewritten.
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { askOnce, isDone, listAll } from './asking.ts'
import { any, iso, type Kind, openPile, type Site, timesFrom } from './kind.ts'

/** `made`: how many answers said so. `isKnown`: all of them came. */
type Day = { at: number; made: number; isKnown: boolean }

const maxMeetings = 3
const asked = 6
const aheadMs = 40 * dayMs

const allDay = [{ start: '00:00', end: '24:00' }]
const week = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, allDay]))

/** The dates and times off are in years that no meeting is in. */
const anyRules = (nth: number) => ({
  ...{ timezone: 'UTC', working_hours: week, max_meetings_per_day: maxMeetings },
  dates: [
    { from: `203${nth % 10}-12-24`, to: `203${nth % 10}-12-26`, hours: any([[], allDay]), label: `Holidays ${nth}` },
  ],
  time_off: [{ start: iso(Date.UTC(2040, nth % 12)), end: iso(Date.UTC(2040, nth % 12, 2)), label: `Off ${nth}` }],
})
type Rules = ReturnType<typeof anyRules>

const spelled = ({ dates, time_off, max_meetings_per_day: max }: Partial<Rules>) =>
  JSON.stringify([dates, time_off, max])

export function openHours({ tenants: [busy] }: Pick<Site, 'tenants'>): Kind {
  const { api, mark, ruledId } = busy!
  const path = `/v1/calendars/${ruledId}`
  const first = Math.ceil((Date.now() + aheadMs) / dayMs) * dayMs
  const days = openPile<Day>()
  let day = 0
  /** The rules that may be there. Empty: the limit was never set. */
  let rules: Rules[] = []
  let isWriting = false

  async function rewrite(): Promise<void> {
    if (isWriting) return
    isWriting = true
    const next = anyRules(day)
    const told = await askOnce(api, 'PUT', `${path}/availability-rules`, next)
    if (isDone(told)) rules = [next]
    else if (!told) rules = [...rules, next]
    isWriting = false
  }

  async function fill(): Promise<void> {
    const at = first + day++ * dayMs
    const answers = await Promise.all(
      Array.from({ length: asked }, (_, nth) =>
        askOnce(api, 'POST', `${path}/events`, {
          ...{ title: `Meeting ${nth} of ${mark}`, reminders: [], require_free: true },
          ...timesFrom(at + nth * hourMs, minuteMs),
        }),
      ),
    )
    days.add({ at, made: answers.filter(isDone).length, isKnown: !answers.includes(undefined) })
  }

  return {
    weight: 2,
    async tell() {
      if (rules.length === 0 || Math.random() < 0.3) await rewrite()
      if (rules.length > 0) await fill()
    },
    async judge(findings) {
      if (rules.length === 0) return
      const found = spelled(await api.require('GET', `${path}/availability-rules`))
      if (!rules.some((one) => spelled(one) === found))
        findings.add('lost', `the rules of ${ruledId} are ${found}, not ${rules.map(spelled).join(' or ')}`)
      for (const { at, made, isKnown } of days.take()) {
        const there = await listAll(api, `${path}/events?start_after=${iso(at)}&start_before=${iso(at + dayMs)}`)
        const name = `${iso(at).slice(0, 10)} of ${ruledId} has ${there.length} meetings`
        if (there.length > maxMeetings) findings.add('twice', `${name}, not ${maxMeetings}`)
        if (there.length < made || (isKnown && there.length < maxMeetings))
          findings.add('lost', `${name}; ${made} were acknowledged`)
      }
    },
  }
}
