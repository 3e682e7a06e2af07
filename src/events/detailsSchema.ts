// The fields that say where an event is, how to join it and how it is shown, as callers send them and as records show them.
import { z } from 'zod'
import { isColorName } from '../icalendar/colorNames.ts'
import { mediaType as aMediaType, detailBounds as max } from '../icalendar/detailBounds.ts'
import { isHttpsAddress, maxAddressLength } from '../shapes/httpsAddress.ts'

/** New lines and tabs are the only control characters. */
const text = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .regex(/^(?:\P{Cc}|[\n\t])*$/u, 'must have no control characters but new lines and tabs')

const httpsUrl = z
  .string()
  .max(maxAddressLength)
  .refine(isHttpsAddress, 'must be an https:// address')
  .meta({ format: 'uri', example: 'https://meet.example.com/abc-defg-hij' })

const location = z
  .string()
  .min(1)
  .max(max.location)
  .regex(/^\P{Cc}*$/u, 'must be one line, without control characters')
  .meta({ example: 'Room 4, Invalidenstraße 1, Berlin' })

export const conference = z
  .strictObject({
    url: httpsUrl,
    provider: text(max.named).optional().meta({ example: 'Meet' }),
    pin: text(max.named).optional().meta({ example: '123456' }),
    phone: text(max.named).optional().meta({ example: '+49 30 1234567' }),
  })
  .meta({ description: 'How to join it as a call.' })

const transparency = z.enum(['opaque', 'transparent']).meta({
  description: '`transparent`: it takes no time. Availability, buffers and `require_free` of others pass over it.',
})

const visibility = z.enum(['default', 'private']).meta({
  description: '`private`: calendar feeds and published copies show only that the time is taken.',
})

const labels = z
  .array(text(max.label))
  .max(max.labels)
  .check(({ value, issues }) => {
    const again = value.findIndex((label, nth) => value.indexOf(label) < nth)
    if (again >= 0)
      issues.push({
        code: 'custom',
        path: [again],
        message: 'must be distinct from the labels before it',
        input: undefined,
      })
  })
  .meta({ description: `Distinct texts, at most ${max.labels}. [] clears.`, example: ['team', 'planning'] })

const color = z
  .string()
  .refine(isColorName, 'must be a CSS3 colour name in small letters, for example teal')
  .meta({ description: 'A CSS3 colour name in small letters.', example: 'teal' })

const mediaType = z
  .string()
  .max(255)
  .regex(aMediaType, 'must be a media type, for example application/pdf')
  .meta({ example: 'application/pdf' })

const link = z.strictObject({
  url: httpsUrl.meta({ format: 'uri', example: 'https://example.com/agenda.pdf' }),
  title: text(max.linkTitle).optional().meta({ example: 'Agenda' }),
  type: mediaType.optional(),
})

const links = z
  .array(link)
  .max(max.links)
  .meta({ description: `Addresses beside the event, at most ${max.links}.` })

export const newDetails = {
  location: location.optional(),
  conference: conference.optional(),
  transparency: transparency.optional(),
  visibility: visibility.optional(),
  labels: labels.optional(),
  color: color.optional(),
  links: links.optional(),
}

/** Their names, in the order of a body. */
export const detailNames = Object.keys(newDetails) as (keyof typeof newDetails)[]

const clears = 'null clears.'

export const changedDetails = {
  location: location.nullable().optional().meta({ description: clears }),
  conference: conference
    .nullable()
    .optional()
    .meta({ description: `Replaces the whole object; ${clears}` }),
  transparency: transparency.nullable().optional().meta({ description: 'null: `opaque`.' }),
  visibility: visibility.nullable().optional().meta({ description: 'null: `default`.' }),
  labels: labels.nullable().optional().meta({ description: 'Replaces all; null and [] clear.' }),
  color: color.nullable().optional().meta({ description: clears }),
  links: links.nullable().optional().meta({ description: 'Replaces all; null and [] clear.' }),
}

/** Each one only where it is set. */
export const shownDetails = {
  location: z.string().optional().meta({ description: 'Where set.' }),
  conference: conference.optional().meta({ description: 'Where set.' }),
  transparency: z.literal('transparent').optional().meta({ description: 'Only of an event that takes no time.' }),
  visibility: z.literal('private').optional().meta({ description: 'Only of a private event.' }),
  labels: z.array(z.string()).optional().meta({ description: 'Where set.' }),
  color: z.string().optional().meta({ description: 'Where set.' }),
  links: z.array(link).optional().meta({ description: 'Where set.' }),
}

type Given<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>
export type ChangedDetails = Given<typeof changedDetails>
export type ShownDetails = Given<typeof shownDetails>

/** A body whose labels are found by these keys, once they are known (`labels.ts`). */
export type WithLabelKeys = { labelKeys?: Buffer[] | undefined }

/** One label that a list is narrowed to. */
export const labelQuery = text(max.label).optional().meta({ description: 'Only events that have exactly this label.' })
