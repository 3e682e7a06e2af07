// The values of the form of a booking page, and the bodies that are sent. Pure.
import type { BookingPage } from '../../../clients/typescript/src/entry.ts'
import { type CallValues, callFields, callOf, callValues, noCall } from '../../parts/call.ts'
import { listOf } from '../../parts/lists.ts'
import { numberOf } from '../../parts/numbers.ts'
import { hoursOf, type WeekValues, weekValues } from '../../parts/week.ts'
import { type QuestionValues, questionOf, questionValues } from './questions.ts'

export type PageValues = CallValues & {
  title: string
  description: string
  host_name: string
  location: string
  vanity_slug: string
  host_organization: string
  contact: string
  privacy_url: string
  logo_url: string
  theme_color: string
  slot_interval_minutes: string
  additional_guests: string
  allowed_origins: string
  questions: readonly QuestionValues[]
  details_on_event: boolean
  guest_mails: boolean
  calendar_id: string
  timezone: string
  duration_minutes: string
  buffer_minutes: string
  window_days: string
  min_notice_minutes: string
  availability_constraints: WeekValues
  active: boolean
}

type Text =
  | ('description' | 'host_name' | 'host_organization' | 'location' | 'vanity_slug')
  | ('contact' | 'privacy_url' | 'logo_url' | 'theme_color')
const texts = [
  ...['description', 'host_name', 'host_organization', 'location', 'vanity_slug'],
  ...['contact', 'privacy_url', 'logo_url', 'theme_color'],
] as readonly Text[]
const numbers = ['duration_minutes', 'buffer_minutes', 'window_days', 'min_notice_minutes'] as const

export const emptyPage = (timezone: string): PageValues => ({
  ...{ title: '', description: '', host_name: '', location: '', vanity_slug: '', calendar_id: '', timezone },
  ...{ host_organization: '', contact: '', privacy_url: '', logo_url: '', theme_color: '', allowed_origins: '' },
  ...{ ...noCall, slot_interval_minutes: '', additional_guests: '', questions: [] },
  ...{ details_on_event: false, guest_mails: true },
  ...{ duration_minutes: '30', buffer_minutes: '0', window_days: '14', min_notice_minutes: '0' },
  availability_constraints: weekValues(null),
  active: true,
})

export const valuesOf = (page: BookingPage): PageValues => ({
  ...(Object.fromEntries(texts.map((name) => [name, page[name] ?? ''])) as Record<Text, string>),
  ...callValues(page.conference),
  title: page.title,
  slot_interval_minutes: String(page.slot_interval_minutes ?? ''),
  additional_guests: String(page.additional_guests ?? ''),
  allowed_origins: (page.allowed_origins ?? []).join(', '),
  questions: questionValues(page.questions),
  details_on_event: page.details_on_event ?? false,
  guest_mails: page.guest_mails ?? true,
  calendar_id: page.calendar_id,
  timezone: page.timezone,
  duration_minutes: String(page.duration_minutes),
  buffer_minutes: String(page.buffer_minutes),
  window_days: String(page.window_days),
  min_notice_minutes: String(page.min_notice_minutes),
  availability_constraints: weekValues(page.availability_constraints),
  active: page.active,
})

/** Of a new page: whatever is empty is left out. `before`: the hours of days that the form does not show whole. */
export function createBody(values: PageValues, before: BookingPage['availability_constraints'] = null) {
  const { title, calendar_id, timezone, active, details_on_event, guest_mails } = values
  const given = Object.entries(clearable(values)).filter(([, value]) => value !== null)
  return {
    ...{ title, calendar_id, timezone, active },
    ...(Object.fromEntries(given) as Given<ReturnType<typeof clearable>>),
    ...numbersOf(values),
    ...(details_on_event && { details_on_event }),
    ...(!guest_mails && { guest_mails }),
    availability_constraints: hoursOf(values.availability_constraints, before),
  }
}

type Given<T> = { [Name in keyof T]?: NonNullable<T[Name]> }

/** The fields that a page need not have: null without them. */
function clearable(values: PageValues) {
  const { slot_interval_minutes: interval, additional_guests: guests, allowed_origins, questions } = values
  return {
    ...(Object.fromEntries(texts.map((name) => [name, values[name] || null])) as Record<Text, string | null>),
    conference: callOf(values),
    slot_interval_minutes: interval === '' ? null : numberOf(interval),
    additional_guests: guests === '' ? null : numberOf(guests),
    allowed_origins: orNull(listOf(allowed_origins)),
    questions: orNull(questions.map(questionOf)),
  }
}

const orNull = <T>(list: readonly T[]) => (list.length > 0 ? [...list] : null)

const numbersOf = (values: PageValues) =>
  Object.fromEntries(numbers.map((name) => [name, numberOf(values[name])])) as Record<(typeof numbers)[number], number>

/** Only what was changed; an empty field clears. The calendar of a page never changes. */
export function updateBody(changed: Partial<PageValues>, values: PageValues, before: BookingPage) {
  const { title, timezone, active, details_on_event, guest_mails, availability_constraints: hours } = changed
  const isChanged = ([name]: [string, unknown]) =>
    name in changed || (name === 'conference' && callFields.some((field) => field in changed))
  return {
    ...(title !== undefined && { title }),
    ...(timezone !== undefined && { timezone }),
    ...(active !== undefined && { active }),
    ...(details_on_event !== undefined && { details_on_event }),
    ...(guest_mails !== undefined && { guest_mails }),
    ...(Object.fromEntries(Object.entries({ ...clearable(values), ...numbersOf(values) }).filter(isChanged)) as Partial<
      ReturnType<typeof clearable> & ReturnType<typeof numbersOf>
    >),
    ...(hours && { availability_constraints: hoursOf(hours, before.availability_constraints) }),
  }
}

/** As guests would see what is typed. The page's own address is not a taken one, and logos of other hosts are not loaded. */
export function previewBody(values: PageValues, before?: BookingPage) {
  const { vanity_slug, logo_url, ...body } = createBody(values, before?.availability_constraints)
  return {
    ...body,
    ...(vanity_slug !== undefined && vanity_slug !== before?.vanity_slug && { vanity_slug }),
  }
}
