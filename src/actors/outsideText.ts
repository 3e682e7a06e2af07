// How a caller is shown text that somebody outside its organization wrote.
import { z } from 'zod'

/** From the most open to the most careful. */
export const outsideViews = ['full', 'fenced', 'hidden'] as const
export type OutsideView = (typeof outsideViews)[number]

/** Who wrote it: a guest who booked, or the publisher of a feed. */
const origins = ['guest', 'import'] as const
export type Origin = (typeof origins)[number]

export const outsideField = z.record(z.string(), z.enum(origins)).optional().meta({
  description:
    'Only with `outside_text`: the texts of this record that somebody else wrote, by their paths, and who it was.',
  example: undefined,
})

type Reader = { guardrails?: { outside_text?: OutsideView | undefined }; request: { outsideText?: OutsideView } }

/** The view that was asked for, or that of the guardrails where it is stricter; undefined for neither. */
export function outsideViewOf({ guardrails, request }: Reader): OutsideView | undefined {
  const [asked, least] = [request.outsideText, guardrails?.outside_text]
  if (!asked || !least) return asked ?? least
  return outsideViews.indexOf(asked) > outsideViews.indexOf(least) ? asked : least
}
