// Our event written over an object that a human has changed: title, description, times and status are ours; alarms, colours,
// attachments and whatever else they added stay. Pure.

/** The properties of an event that are ours. */
const ours = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SUMMARY', 'DESCRIPTION', 'STATUS'],
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID'],
  ...['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT', 'X-ALT-DESC'],
])

type Component = { name: string; lines: string[]; inner: Component[] }

/** `stored` is what stands there, `object` what we would write. */
export function mergeObject(stored: string, object: string): string {
  const theirs = masterOf(stored)
  const mine = masterOf(object)
  if (!theirs || !mine) return object
  const further = theirs.lines.filter((line) => !ours.has(nameOf(line)))
  const named = new Set(further.map(nameOf))
  // Whether the time counts as busy is the human's.
  const lines = [...mine.lines.filter((line) => !(nameOf(line) === 'TRANSP' && named.has('TRANSP'))), ...further]
  if (further.length === 0 && theirs.inner.length === 0) return object
  const added = new Set(mine.lines)
  if (theirs.inner.length === 0 && further.every((line) => added.has(line))) return object
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
