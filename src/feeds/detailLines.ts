// The lines of an event's details: RFC 5545, and RFC 7986 for calls and colours.
import type { Details } from '../events/details.ts'
import { folded, parameterValue, textValue } from './contentLine.ts'

/** Of a private event only its class. */
export function detailLines(details: Details): string {
  if (details.visibility === 'private') return 'CLASS:PRIVATE\r\n'
  const { location, labels = [], color, links = [] } = details
  return [
    location !== undefined ? [`LOCATION:${textValue(location)}`] : [],
    labels.length > 0 ? [`CATEGORIES:${labels.map(textValue).join(',')}`] : [],
    color !== undefined ? [`COLOR:${color}`] : [],
    conferenceLines(details.conference),
    links.map(linkLine),
  ]
    .flat()
    .map(folded)
    .join('')
}

export const conferenceLines = (conference: Details['conference']): string[] => {
  if (!conference) return []
  const { url, provider, phone } = conference
  const label = provider === undefined ? '' : `;LABEL=${parameterValue(provider)}`
  return [
    `CONFERENCE;VALUE=URI;FEATURE=VIDEO${label}:${url}`,
    ...(phone === undefined ? [] : [`CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:${encodeURI(phone)}`]),
  ]
}

const linkLine = ({ url, title, type }: NonNullable<Details['links']>[number]): string =>
  `ATTACH${type === undefined ? '' : `;FMTTYPE=${type}`}${title === undefined ? '' : `;FILENAME=${parameterValue(title)}`}:${url}`
