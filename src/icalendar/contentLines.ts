// One linear pass over the raw text, before any parser sees it: caps, unfolding, repair. The result is the lines of well-formed
// events and zones, with names in capitals, and only the properties that are used.
import type { Unread } from './unread.ts'
import { Unreadable } from './unreadable.ts'

/** The parts of an event that a subscription may keep besides title, description, times and status. */
export const keepable = ['details', 'transparency'] as const
export type Keepable = (typeof keepable)[number]

const maxComponents = 100_000
const deepestNesting = 10
const longestLine = 1_000_000
/** Descriptions are cut far below this, so a long one is not a reason to refuse a feed. */
const longestText = 100_000

const eventProperties = new Set([
  ...['UID', 'SEQUENCE', 'RECURRENCE-ID', 'STATUS', 'SUMMARY', 'DESCRIPTION'],
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'X-MICROSOFT-CDO-ALLDAYEVENT'],
])
const observanceProperties = new Set(['DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO'])

/** The properties that are used, by component. */
const readProperties = new Map<string, ReadonlySet<string>>([
  ['VEVENT', eventProperties],
  ['VTIMEZONE', new Set(['TZID', 'X-LIC-LOCATION'])],
  ['STANDARD', observanceProperties],
  ['DAYLIGHT', observanceProperties],
])
/** The same, and what says whether an event takes its time of a person: for calendars that a person keeps. */
export const personalProperties = new Map(readProperties).set(
  'VEVENT',
  new Set([...eventProperties, 'TRANSP', 'X-MICROSOFT-CDO-BUSYSTATUS', 'ATTENDEE']),
)
const detailProperties = ['LOCATION', 'CONFERENCE', 'URL', 'CLASS', 'CATEGORIES', 'COLOR', 'ATTACH']

/** The properties of a feed of which more is kept. */
export const propertiesFor = (keep: readonly Keepable[]): ReadonlyMap<string, ReadonlySet<string>> =>
  keep.length === 0
    ? readProperties
    : new Map(readProperties).set(
        'VEVENT',
        new Set([
          ...eventProperties,
          ...(keep.includes('details') ? detailProperties : []),
          ...(keep.includes('transparency') ? ['TRANSP'] : []),
        ]),
      )
/** An attachment may be a whole file. */
const textProperties = new Set(['SUMMARY', 'DESCRIPTION', 'LOCATION', 'CATEGORIES', 'ATTACH'])

/** The components directly inside a calendar: if one begins inside another, that one was never ended. */
const topComponents = new Set(['VEVENT', 'VTIMEZONE', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VAVAILABILITY'])

type ContentLines = { lines: string[]; unread: Unread[] }

/** `properties`: those that are kept, by component. */
export function contentLines(
  decoded: string,
  properties: ReadonlyMap<string, ReadonlySet<string>> = readProperties,
): ContentLines {
  const collector = new Collector(properties)
  // To a JavaScript pattern they end a line, to a feed they do not.
  const text = /[\u2028\u2029]/.test(decoded) ? decoded.replace(/[\u2028\u2029]/g, ' ') : decoded
  let lineFeed = -1
  let carriageReturn = -1
  for (let from = text.charCodeAt(0) === 0xfeff ? 1 : 0; from < text.length; ) {
    if (lineFeed < from) lineFeed = nextOf(text, '\n', from)
    if (carriageReturn < from) carriageReturn = nextOf(text, '\r', from)
    const end = Math.min(lineFeed, carriageReturn)
    // Empty lines stand for nothing, not even the end of a folded line: some write \r\r\n.
    if (end > from) collector.take(text.slice(from, end))
    from = end + 1
  }
  return collector.finish()
}

function nextOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at
}

/** Where the name of a property ends: before a colon or a semicolon. 0 for a line that begins with no name. */
function nameLength(line: string): number {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (isNameCode[code]) continue
    return code === 0x3a || code === 0x3b ? at : 0
  }
  return 0
}

/** Whether a line says so before its value. */
const isQuotedPrintable = (line: string): boolean => /^[^:]*;ENCODING="?QUOTED-PRINTABLE/i.test(line.slice(0, 1_000))

function uidIn(lines: readonly string[]): string | null {
  const line = lines.find((one) => /^UID[;:]/.test(one))
  return line?.slice(line.indexOf(':') + 1).trim() || null
}

const isNameCode = Array.from({ length: 128 }, (_, code) => /[A-Za-z0-9-]/.test(String.fromCharCode(code)))

class Collector {
  #lines: string[] = []
  #unread: Unread[] = []
  #components = 0
  #sawCalendar = false
  /** Names of the open components, the calendar first. */
  #open: string[] = []
  /** The properties to keep of the innermost one. */
  #read: ReadonlySet<string> | undefined
  /** The lines of the open component of the calendar: they count only when it ends. */
  #pending: string[] = []
  /** The unfolded line so far; undefined while it is one that is not used. */
  #line: string | undefined
  #isText = false
  readonly #properties: ReadonlyMap<string, ReadonlySet<string>>

  constructor(properties: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#properties = properties
  }

  take(line: string): void {
    const first = line.charCodeAt(0)
    const isFolded = first === 0x20 || first === 0x09
    if (this.#isSoftBreak()) {
      this.#line = this.#line!.slice(0, -1)
      this.#append(isFolded ? line.slice(1) : line)
      return
    }
    if (isFolded) {
      this.#append(line.slice(1))
      return
    }
    const length = nameLength(line)
    if (length === 0) {
      // An invalid line: text with a line break that was not escaped.
      this.#append(this.#isText ? `\\n${line}` : '')
      return
    }
    this.#endLine()
    const written = line.slice(0, length)
    const name = this.#read?.has(written) ? written : written.toUpperCase()
    if (name === 'BEGIN' || name === 'END') {
      const component = line
        .slice(name.length + 1)
        .trim()
        .toUpperCase()
      if (name === 'BEGIN') this.#begin(component)
      else this.#end(component)
      this.#read = this.#properties.get(this.#open.at(-1) ?? '')
      return
    }
    if (!this.#read?.has(name)) return
    this.#isText = textProperties.has(name)
    this.#line = ''
    this.#append(name === written ? line : name + line.slice(length))
  }

  finish(): ContentLines {
    this.#endLine()
    if (!this.#sawCalendar) throw new Unreadable('The address does not answer with an iCalendar feed.')
    if (this.#open.length > 0) this.#refuseCut()
    return { lines: this.#lines, unread: this.#unread }
  }

  /** RFC 5545, 3.4: a calendar has an end. Without it the rest would pass for removed. */
  #refuseCut(): never {
    const where = this.#open.includes('VEVENT') ? 'in the middle of an event' : 'before the end of its calendar'
    throw new Unreadable(`The feed is cut off ${where}.`)
  }

  /** A text in quoted-printable goes on after a last `=`, whatever the next line looks like. */
  #isSoftBreak(): boolean {
    return this.#isText && this.#line?.endsWith('=') === true && isQuotedPrintable(this.#line)
  }

  #append(more: string): void {
    if (this.#line === undefined) return
    const length = this.#line.length + more.length
    if (length > longestLine && !this.#isText) {
      throw new Unreadable(`The feed has a line of more than ${longestLine} characters.`)
    }
    this.#line += this.#isText ? more.slice(0, Math.max(0, longestText - this.#line.length)) : more
  }

  #endLine(): void {
    if (this.#line !== undefined) this.#pending.push(this.#line)
    this.#line = undefined
    this.#isText = false
  }

  #begin(name: string): void {
    if (++this.#components > maxComponents) {
      throw new Unreadable(`The feed has more than ${maxComponents} components.`)
    }
    if (name === 'VCALENDAR') {
      if (this.#open.length > 0) this.#refuseCut()
      this.#sawCalendar = true
    } else if (topComponents.has(name)) this.#abandon(1)
    if (this.#open.length === 0 && name !== 'VCALENDAR') {
      if (name === 'VEVENT') this.#unread.push({ reason: 'structure', uid: null })
      return
    }
    this.#open.push(name)
    if (this.#open.length > deepestNesting) throw new Unreadable('The components of the feed are nested too deeply.')
    if (readProperties.has(name)) this.#pending.push(`BEGIN:${name}`)
  }

  #end(name: string): void {
    const depth = this.#open.lastIndexOf(name)
    if (depth === -1) return
    if (depth === 0) this.#abandon(0)
    else this.#close(depth)
    if (depth !== 1) return
    // One at a time: a spread of a hundred thousand lines would not fit on the stack.
    for (const line of this.#pending) this.#lines.push(line)
    this.#pending = []
  }

  /** Ends the components from `depth` inward in the order they nest. */
  #close(depth: number): void {
    while (this.#open.length > depth) {
      const name = this.#open.pop()!
      if (readProperties.has(name)) this.#pending.push(`END:${name}`)
    }
  }

  /** Drops the open components from `depth` inward, because they were never ended. */
  #abandon(depth: number): void {
    if (this.#open.indexOf('VEVENT') >= depth && this.#open.includes('VEVENT')) {
      this.#unread.push({ reason: 'structure', uid: uidIn(this.#pending) })
    }
    this.#open.length = Math.min(this.#open.length, depth)
    this.#pending = []
  }
}
