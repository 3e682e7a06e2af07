import type { BookingPage } from '../../../clients/typescript/src/entry.ts'
import { Allowed } from '../../parts/allowed.tsx'
import { CallFields } from '../../parts/callFields.tsx'
import { Input, PickerField, SwitchField } from '../../parts/fields.tsx'
import { useChoices } from '../../parts/useChoices.ts'
import { WeekFields } from '../../parts/weekFields.tsx'
import { zones } from '../../parts/zones.ts'
import { texts } from '../../texts.ts'
import { GuestFields } from './guestFields.tsx'
import { Preview } from './preview.tsx'

/** The fields of a page beside its preview. `before`: a page that exists, whose calendar stays. */
export function PageFields({ before }: { before?: BookingPage }) {
  const { calendars, findCalendars } = useChoices()
  const words = texts.booking
  return (
    <div className="beside">
      <div className="stack">
        <Input name="title" label={texts.title_} />
        <Input name="description" label={texts.description} />
        <Input name="host_name" label={words.hostName} />
        <Input name="location" label={words.location} />
        <CallFields />
        <SwitchField name="details_on_event" label={words.detailsOnEvents} />
        <Input name="vanity_slug" label={words.readableAddress} hint={words.readableHint} />
        {!before && <PickerField name="calendar_id" label={texts.calendar} options={calendars} find={findCalendars} />}
        <PickerField name="timezone" label={texts.timezone} options={zones} />
        <div className="row">
          <Input name="duration_minutes" label={words.durationMinutes} type="number" min={5} />
          <Input name="buffer_minutes" label={words.bufferMinutes} type="number" min={0} />
        </div>
        <div className="row">
          <Input name="window_days" label={words.daysAhead} type="number" min={1} />
          <Input name="min_notice_minutes" label={words.minimumNotice} type="number" min={0} />
        </div>
        <WeekFields name="availability_constraints" />
        <GuestFields />
        <SwitchField name="active" label={texts.active} />
      </div>
      <Allowed>
        <Preview before={before} />
      </Allowed>
    </div>
  )
}
