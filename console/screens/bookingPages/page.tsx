import { useNavigate, useParams } from '@tanstack/react-router'
import type { BookingPage as Record } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { callLabels } from '../../parts/callFields.tsx'
import { CopyField } from '../../parts/copyButton.tsx'
import { Edit } from '../../parts/edit.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Unread } from '../../parts/unread.tsx'
import { hoursText, type WeekValues } from '../../parts/week.ts'
import { acted, forget } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { removeWithUndo } from '../../state/undo.ts'
import { texts } from '../../texts.ts'
import { Bookings } from './bookings.tsx'
import { PageFields } from './pageFields.tsx'
import { type QuestionValues, questionsText } from './questions.ts'
import { type PageValues, updateBody, valuesOf } from './values.ts'

const readPage = (id: string) => service.bookingPages.get(id).full()

const labels = {
  title: texts.title_,
  description: texts.description,
  host_name: texts.booking.hostName,
  location: texts.booking.location,
  vanity_slug: texts.booking.readableAddress,
  timezone: texts.timezone,
  duration_minutes: texts.booking.durationMinutes,
  buffer_minutes: texts.booking.bufferMinutes,
  window_days: texts.booking.daysAhead,
  min_notice_minutes: texts.booking.minimumNotice,
  availability_constraints: texts.hours,
  active: texts.active,
  ...callLabels,
  host_organization: texts.booking.hostOrganization,
  contact: texts.booking.contact,
  privacy_url: texts.booking.privacy,
  logo_url: texts.booking.logo,
  theme_color: texts.booking.themeColor,
  slot_interval_minutes: texts.booking.slotInterval,
  additional_guests: texts.booking.furtherGuests,
  allowed_origins: texts.booking.framedBy,
  questions: texts.booking.questions,
  details_on_event: texts.booking.detailsOnEvents,
  guest_mails: texts.booking.guestMails,
}

export function BookingPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const navigate = useNavigate()
  const { data, error, refetch } = useRead(['one', 'booking_page', id], () => readPage(id))
  if (!data) return <Unread error={error} again={refetch} />
  const { title, booking_url, calendar_id } = data.data

  function remove() {
    removeWithUndo(id, texts.booking.noun, async () => {
      await service.bookingPages.delete(id)
      await forget('booking_page', id)
    })
    navigate({ to: '/booking-pages' })
  }

  return (
    <Screen heading={title}>
      <p>
        <A to={`/calendars/${calendar_id}`}>{texts.booking.itsCalendar}</A>
      </p>
      <div className="card stack">
        <CopyField label={texts.booking.pageAddress} value={booking_url} />
      </div>
      <div className="card part">
        <Edit<Record, PageValues>
          name={`booking-page:${id}`}
          label={texts.booking.form}
          record={data}
          valuesOf={valuesOf}
          labels={labels}
          shownOf={{
            availability_constraints: (hours) => hoursText(hours as WeekValues, texts.weekdays),
            questions: (questions) => questionsText(questions as readonly QuestionValues[]),
          }}
          update={(changed, options, values, over) =>
            service.bookingPages.update(id, updateBody(changed, values, over), options)
          }
          readAgain={() => readPage(id)}
          done={async () => {
            await acted('booking_page')
            notify(texts.saved(texts.booking.noun))
          }}
          actions={
            <button type="button" className="quiet dangerous" onClick={remove}>
              {texts.booking.deletePage}
            </button>
          }
        >
          <PageFields before={data.data} />
        </Edit>
      </div>
      <Bookings id={id} />
    </Screen>
  )
}
