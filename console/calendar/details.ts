// Where an event takes place, how it is joined, and who sees what of it, between the service and the form. Pure.
import type { AgentCalendar, EventInstance } from '../../clients/typescript/src/entry.ts'
import { type CallValues, callFields, callOf, callValues, filled, noCall } from '../parts/call.ts'
import { listOf } from '../parts/lists.ts'
import { changes } from '../service/refusal.ts'

export type Link = { url: string; title: string; type: string }

export type Details = CallValues & {
  location: string
  transparency: 'opaque' | 'transparent'
  visibility: 'default' | 'private'
  labels: string
  color: string
  links: readonly Link[]
}

type Body = Parameters<AgentCalendar['events']['updateById']>[1]
type DetailsBody = Pick<Body, 'location' | 'conference' | 'transparency' | 'visibility' | 'labels' | 'color' | 'links'>

export const noDetails: Details = {
  ...{ ...noCall, location: '' },
  ...{ transparency: 'opaque', visibility: 'default', labels: '', color: '', links: [] },
}

export const noLink: Link = { url: '', title: '', type: '' }

export function detailsOf(event: EventInstance): Details {
  const { location, conference, transparency, visibility, labels, color, links } = event
  return {
    location: location ?? '',
    ...callValues(conference),
    ...{ transparency: transparency ?? 'opaque', visibility: visibility ?? 'default' },
    ...{ labels: (labels ?? []).join(', '), color: color ?? '' },
    links: (links ?? []).map(({ url, title = '', type = '' }) => ({ url, title, type: String(type) })),
  }
}

/** Only what was changed; an empty text clears. */
export function changedDetails(changed: Partial<Details>, values: Details): DetailsBody {
  const { location, transparency, visibility, labels, color, links } = changed
  return {
    ...(location !== undefined && { location: location || null }),
    ...(callFields.some((name) => name in changed) && { conference: callOf(values) }),
    ...(transparency && { transparency }),
    ...(visibility && { visibility }),
    ...(labels !== undefined && { labels: listOf(labels) }),
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
