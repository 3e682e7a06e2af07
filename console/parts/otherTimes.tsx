import { useId } from 'react'
import { type OtherTime, refusalOf } from '../service/refusal.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { type Shown, span } from './times.ts'

/** The times that the service offers instead of the refused one. */
export function OtherTimes({ error, choose }: { error: unknown; choose: (time: OtherTime) => void }) {
  const shown = useStore(settings)
  const id = useId()
  const { otherTimes } = refusalOf(error)
  const times = otherTimes.filter((time) => !('at' in time) || isMoment(time.at))
  if (times.length === 0) return null
  return (
    <div className="other-times">
      <p id={id}>{texts.otherTimes}</p>
      <ul aria-labelledby={id}>
        {times.map((time) => (
          <li key={nameOf(time, shown)}>
            <button type="button" className="quiet small" onClick={() => choose(time)}>
              {nameOf(time, shown)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A suggested time of a zone, with the offset that tells two of one name apart. */
const isMoment = (at: string) => /^\d{4}-\d\d-\d\dT.*[+-]\d\d:\d\d\[/.test(at) || /^\d{4}-\d\d-\d\dT.*Z/.test(at)

const nameOf = (time: OtherTime, shown: Shown) => ('at' in time ? time.at : span(time.start, time.end, shown))
