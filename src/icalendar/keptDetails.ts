// Place, call, class, categories, colour and attachments of a VEVENT, within the bounds of an event's record. Values that do
// not fit are left out.
import { isHttpsAddress } from '../shapes/httpsAddress.ts'
import { isColorName } from './colorNames.ts'
import type { Component, Property } from './components.ts'
import { detailBounds as max, mediaType } from './detailBounds.ts'
import { lineOf, listedTexts, parameterOf } from './values.ts'

export type KeptDetails = {
  location?: string
  conference?: { url: string; provider?: string; phone?: string }
  visibility?: 'private'
  labels?: string[]
  color?: string
  links?: { url: string; title?: string; type?: string }[]
}

export function keptDetails({ properties }: Pick<Component, 'properties'>): KeptDetails {
  const all = (name: string) => properties.get(name) ?? []
  const location = lineOf(all('LOCATION')[0], max.location)
  const conference = conferenceOf(all('CONFERENCE'), all('URL'))
  const labels = labelsOf(all('CATEGORIES'))
  const color = all('COLOR')[0]?.value.trim().toLowerCase()
  const links = all('ATTACH').flatMap(linkOf).slice(0, max.links)
  return {
    ...(location && { location }),
    ...(conference && { conference }),
    ...(/^\s*(private|confidential)\s*$/i.test(all('CLASS')[0]?.value ?? '') && { visibility: 'private' as const }),
    ...(labels.length > 0 && { labels }),
    ...(color !== undefined && isColorName(color) && { color }),
    ...(links.length > 0 && { links }),
  }
}

/** Some escape an address as a text. */
const addressOf = ({ value }: Property): string => value.replace(/\\([\\;,])/g, '$1').trim()

function conferenceOf(
  conferences: readonly Property[],
  urls: readonly Property[],
): KeptDetails['conference'] | undefined {
  const found = [...conferences, ...urls].find((property) => isHttpsAddress(addressOf(property)))
  if (!found) return undefined
  const provider = parameterLine(found, 'LABEL', max.named)
  const phone = conferences.map(addressOf).find((address) => /^tel:/i.test(address))
  const number = phone && decoded(phone.slice('tel:'.length)).slice(0, max.named)
  return { url: addressOf(found), ...(provider && { provider }), ...(number && { phone: number }) }
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
      .replaceAll(/\p{Cc}/gu, '')
      .trim()
  } catch {
    return ''
  }
}

function labelsOf(categories: readonly Property[]): string[] {
  const labels = categories.flatMap((property) => listedTexts(property, max.label))
  return [...new Set(labels.filter((label) => label !== ''))].slice(0, max.labels)
}

function linkOf(property: Property): NonNullable<KeptDetails['links']> {
  const url = addressOf(property)
  if (!isHttpsAddress(url)) return []
  const title = parameterLine(property, 'FILENAME', max.linkTitle)
  const type = parameterOf(property, 'FMTTYPE') ?? ''
  return [{ url, ...(title && { title }), ...(mediaType.test(type) && { type }) }]
}

const parameterLine = (property: Property, name: string, length: number): string =>
  lineOf({ value: parameterOf(property, name) ?? '', parameters: [] }, length)
