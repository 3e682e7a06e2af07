// The further guests of a booking: addresses typed by the person who books. They are unverified, so few.
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { email } from '../organizations/schema.ts'

export const maxAdditionalGuests = 10
export const maxGuestsLength = 3_500

/** A form sends a text. */
export const guestsField = z.union([z.array(email).max(maxAdditionalGuests), z.string().max(maxGuestsLength)]).meta({
  description:
    'Addresses of further guests, if the page allows them: a list, or a text with commas. Each gets an invitation.',
  example: ['grace@example.com'],
})

type Allowed = { guest_mails?: false; additional_guests?: number | undefined }

/** How many further guests a booking may invite. */
export const guestsAllowed = ({ guest_mails, additional_guests = 0 }: Allowed): number =>
  guest_mails === false ? 0 : additional_guests

/** The addresses, each once and without that of the guest. Throws if the page does not allow as many. */
export function readGuests(
  { details }: { details: Allowed },
  given: z.infer<typeof guestsField> | undefined,
  own: string,
): string[] {
  const texts = typeof given === 'string' ? given.split(/[\s,;]+/) : (given ?? [])
  const seen = new Set([own.toLowerCase()])
  const read: string[] = []
  for (const text of texts.filter((one) => one !== '')) {
    const judged = email.safeParse(text)
    if (!judged.success) throw invalid('guests: expected e-mail addresses, separated by commas', 'guests')
    if (seen.has(judged.data.toLowerCase())) continue
    seen.add(judged.data.toLowerCase())
    read.push(judged.data)
  }
  const max = guestsAllowed(details)
  if (read.length > max) throw invalid(`guests: must be at most ${max} on this page`, 'guests')
  return read
}
