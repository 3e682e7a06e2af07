// The forms of a text from outside: as it is, between fences that it cannot close itself, or only its length. Pure.
import type { Origin, OutsideView } from '../actors/outsideText.ts'
import { visibleText } from '../shapes/visibleText.ts'

/** `nonce`: 8 hexadecimal digits, new for each answer, so that nobody outside knows them. */
export type Form = (text: string, origin: Origin) => string

export function formOf(view: OutsideView, nonce: string): Form {
  switch (view) {
    case 'full':
      return (text) => text
    case 'fenced':
      return (text, origin) => `<<outside ${origin} ${nonce}>>${withoutFences(text)}<</outside ${nonce}>>`
    case 'hidden':
      return (text, origin) => `[hidden: ${origin}, ${[...text].length} characters]`
  }
}

/** Hidden characters go first: one between two signs would hide a fence. */
const withoutFences = (text: string): string => visibleText(text).replaceAll('<<', '‹‹').replaceAll('>>', '››')

/** A fenced text apart, so that it can be cut between its fences; any other text has none. */
export function takeFences(shown: string): { open: string; text: string; close: string } {
  const [, open = '', text = shown, close = ''] =
    /^(<<outside \w+ [0-9a-f]{8}>>)([\s\S]*)(<<\/outside [0-9a-f]{8}>>)$/.exec(shown) ?? []
  return { open, text, close }
}
