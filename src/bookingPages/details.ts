// Further fields of a page: its host and place, questions, a readable address, sites that embed it. A record has only the
// fields in use.
import { z } from 'zod'
import { conference } from '../events/detailsSchema.ts'
import { maxAdditionalGuests } from './additionalGuests.ts'
import { exampleOrigin, isOrigin, originOf } from './origins.ts'
import { questionsField } from './questions.ts'
import { isReserved, slugPattern } from './vanitySlug.ts'

/** One line: it stands in headings, in mails and in calendar files. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line')

const webAddress = z
  .string()
  .max(2_048)
  .refine(isWebAddress, 'expected an address with https:// or http://')
  .meta({ format: 'uri', example: 'https://example.com/privacy' })

function isWebAddress(text: string): boolean {
  const { protocol, username, password } = URL.parse(text) ?? {}
  const isPlain = username === '' && password === '' && !/[\p{Cc}\p{Cf}\s]/u.test(text)
  return isPlain && (protocol === 'https:' || protocol === 'http:')
}

const hostName = line(200).meta({
  description: 'The person whom guests meet. The page shows it above the title.',
  example: 'Ada Lovelace',
})
const hostOrganization = line(200).meta({ description: 'The organization of the host.', example: 'Example Robotics' })
const location = line(500).meta({
  description: 'Where it takes place: an address, a phone number, or a link to a call.',
  example: 'https://meet.example.com/ada',
})
const privacyUrl = webAddress.meta({
  description: 'A privacy policy for the data that guests enter. The form links to it.',
})
const guestMails = z
  .boolean()
  .meta({ description: 'Whether guests get mails about their bookings. Records have this field only if it is false.' })
const call = conference.meta({
  description: 'The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`.',
})
const detailsOnEvent = z.boolean().meta({
  description:
    'Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true.',
})
const vanitySlug = z
  .string()
  .min(3)
  .max(64)
  .regex(slugPattern, 'expected lower-case letters, digits and single hyphens, for example ada-intro')
  .refine((slug) => !isReserved(slug), 'is a reserved word')
  .meta({
    description: 'A readable address in addition to the secret one, unique in the installation. It can be guessed.',
    example: 'ada-intro',
  })
const allowedOrigins = z
  .array(z.string().max(300).refine(isOrigin, `expected an origin, for example ${exampleOrigin}`))
  .max(20)
  .meta({
    description:
      'Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may.',
    example: [exampleOrigin],
  })

/** The characters of RFC 3986. */
const uriPattern = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/

const logoUrl = z
  .string()
  .max(2_048)
  .refine(
    (text) => uriPattern.test(text) && isWebAddress(text) && originOf(text) !== undefined,
    'expected an address with https://',
  )
  .meta({
    format: 'uri',
    description: 'An image above the title, and in previews of links. Browsers of guests load it from there.',
    example: 'https://www.example.com/logo.png',
  })
const themeColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'expected a colour such as #3352d9, in lower case')
  .meta({
    description: 'The colour of buttons and links. It is made darker or lighter if text on it would be hard to read.',
    example: '#0b6e4f',
  })
const slotInterval = z.int().min(5).max(480).meta({
  description: 'Minutes from the start of one slot to the next. Without it slots follow each other.',
  example: 15,
})
const additionalGuests = z.int().min(1).max(maxAdditionalGuests).meta({
  description: 'How many further guests may be invited with a booking, each by a mail.',
  example: 3,
})
const contact = line(300).meta({
  description: 'How guests reach the host if no time is free: an address, a phone number or a link.',
  example: 'ada@example.com',
})

/** In the order of a record. */
const fields = {
  host_name: hostName,
  host_organization: hostOrganization,
  location,
  privacy_url: privacyUrl,
  vanity_slug: vanitySlug,
  allowed_origins: allowedOrigins,
  questions: questionsField,
  logo_url: logoUrl,
  theme_color: themeColor,
  slot_interval_minutes: slotInterval,
  additional_guests: additionalGuests,
  contact,
  conference: call,
}

export const createDetails = {
  host_name: hostName.optional(),
  host_organization: hostOrganization.optional(),
  location: location.optional(),
  privacy_url: privacyUrl.optional(),
  vanity_slug: vanitySlug.optional(),
  allowed_origins: allowedOrigins.optional(),
  questions: questionsField.optional(),
  logo_url: logoUrl.optional(),
  theme_color: themeColor.optional(),
  slot_interval_minutes: slotInterval.optional(),
  additional_guests: additionalGuests.optional(),
  contact: contact.optional(),
  guest_mails: guestMails.optional(),
  conference: call.optional(),
  details_on_event: detailsOnEvent.optional(),
}

/** null clears, and so does an empty list. */
export const updateDetails = {
  host_name: hostName.nullable().optional(),
  host_organization: hostOrganization.nullable().optional(),
  location: location.nullable().optional(),
  privacy_url: privacyUrl.nullable().optional(),
  vanity_slug: vanitySlug.nullable().optional(),
  allowed_origins: allowedOrigins.nullable().optional(),
  questions: questionsField.nullable().optional(),
  logo_url: logoUrl.nullable().optional(),
  theme_color: themeColor.nullable().optional(),
  slot_interval_minutes: slotInterval.nullable().optional(),
  additional_guests: additionalGuests.nullable().optional(),
  contact: contact.nullable().optional(),
  guest_mails: guestMails.optional(),
  conference: call.nullable().optional(),
  details_on_event: detailsOnEvent.optional(),
}

/** As records show them. */
export const recordDetails = {
  ...createDetails,
  vanity_url: z.string().optional().meta({
    format: 'uri',
    description: 'The page at its readable address.',
    example: 'https://calendar.example.com/book/ada-intro',
  }),
  warnings: z
    .array(z.string())
    .optional()
    .meta({ description: 'The reason why guests cannot book, if there is one.', example: undefined }),
}

type Given = { [Name in keyof typeof updateDetails]?: z.infer<(typeof updateDetails)[Name]> }
/** As a row has them: only those that are used. */
export type Details = Omit<{ [Name in keyof typeof fields]?: z.infer<(typeof fields)[Name]> }, 'vanity_slug'> & {
  guest_mails?: false
  details_on_event?: true
}

/** The details of a page after an edit, and its readable address. */
export function detailsAfter(
  before: { details: Details; vanitySlug: string | null },
  given: Given,
): { details: Details; vanitySlug: string | null } {
  const { vanity_slug, ...rest } = { ...before.details, vanity_slug: before.vanitySlug, ...definedOf(given) }
  const used = Object.entries(rest).filter(([name, value]) => isUsed(name, value))
  return { details: Object.fromEntries(used), vanitySlug: vanity_slug ?? null }
}

const definedOf = (given: Given): Given =>
  Object.fromEntries(
    Object.keys(updateDetails).flatMap((name) => {
      const value = given[name as keyof Given]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const isUsed = (name: string, value: unknown): boolean => {
  if (name === 'guest_mails') return value === false
  return value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
}
