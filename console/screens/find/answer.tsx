import { useEffect, useRef, useState } from 'react'
import type { Availability } from '../../../clients/typescript/src/entry.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { span } from '../../parts/times.ts'
import { useChoices } from '../../parts/useChoices.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { MakeProposal } from './makeProposal.tsx'
import { namedIn, type Question, timesOf, wordsOf } from './question.ts'

const maxBlocked = 100

type Props = { question: Question; answer: Availability }

/** The times to choose from, and why the others are not free. */
export function Answer({ question, answer }: Props) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const times = timesOf(answer, question)
  const shown = { ...settings.get(), timezone: question.timezone }
  const toggle = (start: string, isOn: boolean) =>
    setChosen((now) => (isOn ? [...now, start] : now.filter((one) => one !== start)))
  return (
    <>
      <section className="part" aria-labelledby="best">
        <h2 id="best" ref={heading} tabIndex={-1}>
          {texts.find.best}
        </h2>
        {answer.availability_state !== 'complete' && <p className="wrong">{texts.find.unknownTimes}</p>}
        {times.length === 0 && (
          <p>{answer.empty_reason ? texts.find.emptyReasons[answer.empty_reason] : texts.find.noneInHours}</p>
        )}
        <ul className="plain" aria-label={texts.find.best}>
          {times.map(({ start, end }) => (
            <li key={start}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(start)}
                  onChange={(event) => toggle(start, event.target.checked)}
                />
                {span(start, end, shown)}
              </label>
            </li>
          ))}
        </ul>
        {times.length > 0 && (
          <div className="actions after">
            <DialogButton label={texts.find.makeProposal} disabled={chosen.length === 0}>
              {(close) => (
                <MakeProposal
                  agents={question.agents}
                  slots={times.filter(({ start }) => chosen.includes(start))}
                  shown={shown}
                  close={close}
                />
              )}
            </DialogButton>
            <span role="status" className="muted">
              {chosen.length > 0 && texts.find.chosen(chosen.length)}
            </span>
          </div>
        )}
      </section>
      <Blocked blocked={answer.blocked ?? []} question={question} shown={shown} />
    </>
  )
}

type BlockedProps = {
  blocked: NonNullable<Availability['blocked']>
  question: Question
  shown: Parameters<typeof span>[2]
}

function Blocked({ blocked, shown }: BlockedProps) {
  const { nameOfCalendar } = useChoices()
  const seen = blocked.slice(0, maxBlocked)
  const named = namedIn(seen)
  const window = { start: seen[0]?.start ?? '', end: seen.at(-1)?.end ?? '' }
  const events = useRead(
    ['list', 'event', 'blocked', named.calendars, window],
    (options) => service.events.listOverlapping({ ...options, ...window, calendar_ids: named.calendars, limit: 2_000 }),
    { enabled: named.calendars.length > 0 && named.calendars.length <= 50 },
  )
  const titleOf = (id: string) => events.data?.data.find((event) => event.id === id)?.title ?? texts.find.anEvent
  const calendarOf = (id: string) => (nameOfCalendar(id) === id ? undefined : nameOfCalendar(id))
  if (seen.length === 0) return null
  return (
    <section className="part" aria-labelledby="blocked">
      <h2 id="blocked">{texts.find.blocked}</h2>
      <ul className="plain" aria-label={texts.find.blocked}>
        {seen.map(({ start, end, by }) => (
          <li key={start}>
            {span(start, end, shown)}
            <span className="muted">
              {' · '}
              {[...new Set(by.map((cause) => wordsOf(cause, texts.find.causes, titleOf, calendarOf)))].join(', ')}
            </span>
          </li>
        ))}
      </ul>
      {blocked.length > seen.length && <p className="muted">{texts.find.more(blocked.length - seen.length)}</p>}
    </section>
  )
}
