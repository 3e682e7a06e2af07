// HTML as a value. What is put into the template is escaped, unless it is HTML itself; nothing else makes HTML of text.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Nothing is shown for null, undefined and false, so that a part can be left out by `condition && part`. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/** Attributes stand in double quotes. */
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
