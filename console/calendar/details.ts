// Where an event takes place, how it is joined, and who sees what of it, between the service and the form. Pure.
import type { AgentCalendar, EventInstance } from '../../clients/typescript/src/entry.ts'
import { changes } from '../service/refusal.ts'

export type Link = { url: string; title: string; type: string }

export type Details = {
  location: string
  conference_url: string
  conference_provider: string
  conference_pin: string
  conference_phone: string
  transparency: 'opaque' | 'transparent'
  visibility: 'default' | 'private'
  labels: string
  color: string
  links: readonly Link[]
}

type Body = Parameters<AgentCalendar['events']['updateById']>[1]
type DetailsBody = Pick<Body, 'location' | 'conference' | 'transparency' | 'visibility' | 'labels' | 'color' | 'links'>

const conferenceFields = ['conference_url', 'conference_provider', 'conference_pin', 'conference_phone'] as const

export const noDetails: Details = {
  ...{ location: '', conference_url: '', conference_provider: '', conference_pin: '', conference_phone: '' },
  ...{ transparency: 'opaque', visibility: 'default', labels: '', color: '', links: [] },
}

export const noLink: Link = { url: '', title: '', type: '' }

export function detailsOf(event: EventInstance): Details {
  const { location, conference, transparency, visibility, labels, color, links } = event
  return {
    location: location ?? '',
    ...{ conference_url: conference?.url ?? '', conference_provider: conference?.provider ?? '' },
    ...{ conference_pin: conference?.pin ?? '', conference_phone: conference?.phone ?? '' },
    ...{ transparency: transparency ?? 'opaque', visibility: visibility ?? 'default' },
    ...{ labels: (labels ?? []).join(', '), color: color ?? '' },
    links: (links ?? []).map(({ url, title = '', type = '' }) => ({ url, title, type: String(type) })),
  }
}

const filled = <T extends Record<string, string>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')) as Partial<T>

/** Without an address there is no call. */
function conferenceOf(values: Details): DetailsBody['conference'] {
  const { conference_url: url, conference_provider: provider, conference_pin: pin, conference_phone: phone } = values
  return url === '' ? null : { url, ...filled({ provider, pin, phone }) }
}

const labelsOf = (text: string) =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '')

/** Only what was changed; an empty text clears. */
export function changedDetails(changed: Partial<Details>, values: Details): DetailsBody {
  const { location, transparency, visibility, labels, color, links } = changed
  return {
    ...(location !== undefined && { location: location || null }),
    ...(conferenceFields.some((name) => name in changed) && { conference: conferenceOf(values) }),
    ...(transparency && { transparency }),
    ...(visibility && { visibility }),
    ...(labels !== undefined && { labels: labelsOf(labels) }),
    ...(color !== undefined && { color: color || null }),
    ...(links && { links: links.map(({ url, title, type }) => ({ url, ...filled({ title, type }) })) }),
  }
}

/** All that an event without details does not have. */
export function givenDetails(values: Details) {
  const given = Object.fromEntries(Object.keys(noDetails).map((name) => [name, values[name as keyof Details]]))
  return changedDetails(changes(noDetails, given as Details), values) as {
    [Name in keyof DetailsBody]: NonNullable<DetailsBody[Name]>
  }
}

export const linksText = (links: readonly Link[]): string =>
  links.map(({ url, title }) => (title ? `${title} (${url})` : url)).join(', ')
