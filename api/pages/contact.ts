// How a guest reaches the host: an address for mail, a link, or a text such as a phone number.
import { filledIn, type Html, html, type Part } from './html.ts'
import { linked } from './links.ts'
import type { View } from './view.ts'

const mailPattern = /^[^\s@<>"',;:?&%]+@[^\s@<>"',;:?&%]+\.[^\s@<>"',;:?&%]+$/

export function contactOf({ page: { details }, texts }: Pick<View, 'page' | 'texts'>): Html | undefined {
  const { contact } = details
  if (contact === undefined) return undefined
  const shown: Part = mailPattern.test(contact) ? html`<a href="mailto:${contact}">${contact}</a>` : linked(contact)
  return html`<p class="contact" dir="auto">${filledIn(texts.contactHost, { contact: html`<bdi>${shown}</bdi>` })}</p>`
}
