// HTML as a value. The template escapes each part, unless the part is HTML itself; nothing else turns text into HTML.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Null, undefined and false show nothing, so `condition && part` leaves a part out. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/** The template must put attributes in double quotes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.reduce((before, text, nth) => before + shown(parts[nth - 1]) + text))

function shown(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(shown).join('')
  if (part === null || part === undefined || part === false) return ''
  return escaped(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

/** A text of a language as HTML: `{name}` is replaced by the part of that name. */
export const filledIn = (text: string, parts: Readonly<Record<string, Part>>): Html =>
  new Html(
    text
      .split(/\{(\w+)\}/)
      .map((piece, nth) => (nth % 2 === 0 ? escaped(piece) : shown(parts[piece])))
      .join(''),
  )
