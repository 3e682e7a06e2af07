// The fields that say where an event is, how to join it and how it is shown, as callers send them and as records show them.
import { z } from 'zod'
import { isColorName } from '../icalendar/colorNames.ts'
import { isHttpsAddress, maxAddressLength } from '../shapes/httpsAddress.ts'

/** New lines and tabs are the only control characters. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^(?:\P{Cc}|[\n\t])*$/u, 'must have no control characters but new lines and tabs')

const httpsUrl = z
  .string()
  .max(maxAddressLength)
  .refine(isHttpsAddress, 'must be an https:// address')
  .meta({ format: 'uri', example: 'https://meet.example.com/abc-defg-hij' })

const location = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^\P{Cc}*$/u, 'must be one line, without control characters')
  .meta({ example: 'Room 4, Invalidenstraße 1, Berlin' })

export const conference = z
  .strictObject({
    url: httpsUrl,
    provider: text(50).optional().meta({ example: 'Meet' }),
    pin: text(50).optional().meta({ example: '123456' }),
    phone: text(50).optional().meta({ example: '+49 30 1234567' }),
  })
  .meta({ description: 'How to join it as a call.' })

const transparency = z.enum(['opaque', 'transparent']).meta({
  description: '`transparent`: it takes no time. Availability, buffers and `require_free` of others pass over it.',
})

const visibility = z.enum(['default', 'private']).meta({
  description: '`private`: calendar feeds and published copies show only that the time is taken.',
})

const maxLabels = 20

const labels = z
  .array(text(64))
  .max(maxLabels)
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
  .meta({ description: `Distinct texts, at most ${maxLabels}. [] clears.`, example: ['team', 'planning'] })

const color = z
  .string()
  .refine(isColorName, 'must be a CSS3 colour name in small letters, for example teal')
  .meta({ description: 'A CSS3 colour name in small letters.', example: 'teal' })

/** Of RFC 6838, without parameters. */
const mediaType = z
  .string()
  .max(255)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/,
    'must be a media type, for example application/pdf',
  )
  .meta({ example: 'application/pdf' })

const link = z.strictObject({
  url: httpsUrl.meta({ format: 'uri', example: 'https://example.com/agenda.pdf' }),
  title: text(255).optional().meta({ example: 'Agenda' }),
  type: mediaType.optional(),
})

const links = z.array(link).max(20).meta({ description: 'Addresses beside the event, at most 20.' })

export const newDetails = {
  location: location.optional(),
  conference: conference.optional(),
  transparency: transparency.optional(),
  visibility: visibility.optional(),
  labels: labels.optional(),
  color: color.optional(),
  links: links.optional(),
}

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
export const labelQuery = text(64).optional().meta({ description: 'Only events that have exactly this label.' })
