// The values of the form of a booking page, and the bodies that are sent. Pure.
import type { BookingPage } from '../../../clients/typescript/src/entry.ts'
import { numberOf } from '../../parts/numbers.ts'
import { hoursOf, type WeekValues, weekValues } from '../../parts/week.ts'

export type PageValues = {
  title: string
  description: string
  host_name: string
  location: string
  vanity_slug: string
  calendar_id: string
  timezone: string
  duration_minutes: string
  buffer_minutes: string
  window_days: string
  min_notice_minutes: string
  availability_constraints: WeekValues
  active: boolean
}

export const emptyPage = (timezone: string): PageValues => ({
  ...{ title: '', description: '', host_name: '', location: '', vanity_slug: '', calendar_id: '', timezone },
  ...{ duration_minutes: '30', buffer_minutes: '0', window_days: '14', min_notice_minutes: '0' },
  availability_constraints: weekValues(null),
  active: true,
})

export const valuesOf = (page: BookingPage): PageValues => ({
  title: page.title,
  description: page.description ?? '',
  host_name: page.host_name ?? '',
  location: page.location ?? '',
  vanity_slug: page.vanity_slug ?? '',
  calendar_id: page.calendar_id,
  timezone: page.timezone,
  duration_minutes: String(page.duration_minutes),
  buffer_minutes: String(page.buffer_minutes),
  window_days: String(page.window_days),
  min_notice_minutes: String(page.min_notice_minutes),
  availability_constraints: weekValues(page.availability_constraints),
  active: page.active,
})

const texts = ['description', 'host_name', 'location', 'vanity_slug'] as const
const numbers = ['duration_minutes', 'buffer_minutes', 'window_days', 'min_notice_minutes'] as const

/** Of a new page: an empty text is left out. `before`: the hours of days that the form does not show whole. */
export function createBody(values: PageValues, before: BookingPage['availability_constraints'] = null) {
  const { title, calendar_id, timezone, active } = values
  const given = texts.filter((name) => values[name] !== '').map((name) => [name, values[name]] as const)
  return {
    ...{ title, calendar_id, timezone, active },
    ...(Object.fromEntries(given) as Partial<Record<(typeof texts)[number], string>>),
    ...(Object.fromEntries(numbers.map((name) => [name, numberOf(values[name])])) as Record<
      (typeof numbers)[number],
      number
    >),
    availability_constraints: hoursOf(values.availability_constraints, before),
  }
}

/** Of what was changed: an empty text clears. The calendar of a page never changes. */
export function updateBody(changed: Partial<PageValues>, before: BookingPage) {
  const { calendar_id, availability_constraints, ...rest } = changed
  const named = Object.entries(rest).map(([name, value]) => {
    if ((numbers as readonly string[]).includes(name)) return [name, numberOf(value as string)]
    return [name, (texts as readonly string[]).includes(name) && value === '' ? null : value]
  })
  return {
    ...Object.fromEntries(named),
    ...(availability_constraints && {
      availability_constraints: hoursOf(availability_constraints, before.availability_constraints),
    }),
  }
}

/** As guests would see what is typed. The page's own address is not a taken one, and logos of other hosts are not loaded. */
export function previewBody(values: PageValues, before?: BookingPage) {
  const { vanity_slug, ...body } = createBody(values, before?.availability_constraints)
  const { host_organization, theme_color, contact } = before ?? {}
  return {
    ...body,
    ...(vanity_slug !== undefined && vanity_slug !== before?.vanity_slug && { vanity_slug }),
    ...(host_organization !== undefined && { host_organization }),
    ...(theme_color !== undefined && { theme_color }),
    ...(contact !== undefined && { contact }),
  }
}
