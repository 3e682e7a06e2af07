// Texts of the owner: the addresses in them become links, the rest stays text.
import { type Html, html } from './html.ts'

const addresses = /\bhttps?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]+/giu

/** Punctuation after an address that is not part of it. */
function trimmed(address: string): string {
  let text = address.replace(/[.,;:!?]+$/, '')
  for (const [open, close] of ['()', '[]', '{}'] as const) {
    const count = (sign: string) => text.split(sign!).length
    while (text.endsWith(close!) && count(close!) > count(open!)) text = text.slice(0, -1).replace(/[.,;:!?]+$/, '')
  }
  return text
}

const isWeb = (address: string): boolean => {
  const { protocol, username, password } = URL.parse(address) ?? {}
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

/** Only http and https become links, and none that shows another host than it leads to. */
export function linked(text: string): Html {
  const parts: (Html | string)[] = []
  let from = 0
  for (const { 0: match, index } of text.matchAll(addresses)) {
    const address = trimmed(match)
    if (!isWeb(address)) continue
    parts.push(text.slice(from, index), linkTo(address))
    from = index + address.length
  }
  return html`${[...parts, text.slice(from)]}`
}

const linkTo = (address: string): Html =>
  html`<a href="${address}" rel="nofollow noopener noreferrer" target="_blank">${address}</a>`
