// Our event written over an object that a human has changed: title, description, times and status are ours, and what our event says
// beyond them; alarms, colours, attachments and whatever else they added stay.
import { createHash } from 'node:crypto'

/** The properties of an event that are ours. */
const ours = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SUMMARY', 'DESCRIPTION', 'STATUS'],
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID'],
  ...['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT', 'X-ALT-DESC'],
])

type Component = { name: string; lines: string[]; inner: Component[] }

/** The properties that only some of our events have; the first three stand once. */
const single = ['LOCATION', 'CLASS', 'TRANSP']
const further = new Set([...single, 'CONFERENCE', 'ATTACH'])

/** That an event takes time is the usual thing, which a human may have changed. */
const isFurther = (line: string): boolean => further.has(nameOf(line)) && line !== 'TRANSP:OPAQUE'

/** A server may write parameters in another way. */
const digestOf = (line: string): string => {
  const value = /:((?:https|tel):.*)$/i.exec(line)?.[1] ?? line.slice(line.indexOf(':') + 1)
  return createHash('sha256')
    .update(`${nameOf(line)}:${value}`)
    .digest('base64url')
    .slice(0, 16)
}

/** Digests of such properties of an object that we write. */
export const furtherOf = (object: string): string[] => (masterOf(object)?.lines ?? []).filter(isFurther).map(digestOf)

/** `stored` is what stands there, `object` what we would write, `before` the further properties that we wrote last. */
export function mergeObject(stored: string, object: string, before: readonly string[] = []): string {
  const theirs = masterOf(stored)
  const mine = masterOf(object)
  if (!theirs || !mine) return object
  const own = mine.lines.filter(isFurther)
  const written = new Set([...before, ...own.map(digestOf)])
  const taken = new Set(own.map(nameOf).filter((name) => single.includes(name)))
  const isOurs = (line: string) => further.has(nameOf(line)) && (taken.has(nameOf(line)) || written.has(digestOf(line)))
  const theirOwn = theirs.lines.filter((line) => !ours.has(nameOf(line)) && !isOurs(line))
  const named = new Set(theirOwn.map(nameOf))
  // Whether the time counts as busy is the human's.
  const lines = [...mine.lines.filter((line) => !(nameOf(line) === 'TRANSP' && named.has('TRANSP'))), ...theirOwn]
  if (theirOwn.length === 0 && theirs.inner.length === 0) return object
  const added = new Set(mine.lines)
  if (theirs.inner.length === 0 && theirOwn.every((line) => added.has(line))) return object
  const begin = object.indexOf('BEGIN:VEVENT')
  const end = object.lastIndexOf('END:VEVENT')
  return object.slice(0, begin) + textOf({ name: 'VEVENT', lines, inner: theirs.inner }) + object.slice(end + 12)
}

/** The UID of the object's events; undefined if it has none. */
export const uidOf = (text: string): string | undefined => {
  const line = masterOf(text)?.lines.find((one) => nameOf(one) === 'UID')
  return line?.slice(line.indexOf(':') + 1).trim()
}

const maxDepth = 4

/** The first event that is no exception of a series. */
function masterOf(text: string): Component | undefined {
  const open: Component[] = []
  const events: Component[] = []
  for (const line of unfolded(text)) {
    const name = nameOf(line)
    if (name === 'BEGIN') {
      if (open.length > maxDepth) return undefined
      open.push({ name: line.slice(6).trim().toUpperCase(), lines: [], inner: [] })
    } else if (name === 'END') {
      const done = open.pop()
      if (done?.name === 'VEVENT') events.push(done)
      else if (done) open.at(-1)?.inner.push(done)
    } else open.at(-1)?.lines.push(line)
  }
  return events.find(({ lines }) => !lines.some((line) => nameOf(line) === 'RECURRENCE-ID'))
}

const unfolded = (text: string): string[] =>
  text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')

const nameOf = (line: string): string => (/^[\w.-]+/.exec(line)?.[0] ?? '').toUpperCase()

const textOf = ({ name, lines, inner }: Component): string =>
  `BEGIN:${name}\r\n${lines.map(folded).join('')}${inner.map(textOf).join('')}END:${name}\r\n`

const maxOctets = 74

/** A line is folded before it has more octets than the format allows, never inside a character. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (octets + size > maxOctets) {
      text += '\r\n '
      octets = 1
    }
    text += char
    octets += size
  }
  return `${text}\r\n`
}
