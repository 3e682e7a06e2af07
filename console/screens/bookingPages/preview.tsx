import { useEffect, useState } from 'react'
import type { BookingPage } from '../../../clients/typescript/src/entry.ts'
import { useValues } from '../../parts/form.tsx'
import { refusalOf } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { texts } from '../../texts.ts'
import { type PageValues, previewBody } from './values.ts'

/** A pause in typing. With the answer it is less than a second. */
const pauseMs = 300

/** The typed page, as a guest would see it. While it cannot be shown, the last page stays. */
export function Preview({ before }: { before?: BookingPage | undefined }) {
  const values = useValues<PageValues>()
  const typed = JSON.stringify(previewBody(values, before))
  const [html, setHtml] = useState<string>()
  const [trouble, setTrouble] = useState<string>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `typed` is all of the values that the page shows
  useEffect(() => {
    if (values.calendar_id === '') return
    const end = new AbortController()
    const timer = setTimeout(async () => {
      try {
        setHtml(await service.bookingPages.preview(JSON.parse(typed), { signal: end.signal }))
        setTrouble(undefined)
      } catch (error) {
        if (!end.signal.aborted) setTrouble(refusalOf(error).message ?? texts.noAnswer)
      }
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [typed])

  const said = values.calendar_id === '' ? texts.booking.chooseCalendar : trouble
  return (
    <div className="preview">
      <p className="hint" role="status">
        {said}
      </p>
      {html !== undefined && <iframe title={texts.booking.preview} sandbox="" srcDoc={html} />}
    </div>
  )
}
