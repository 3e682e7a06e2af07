// Lines of RFC 5545 as `ical-generator` writes them, with a short way for the plain text that most lines are.
import { escape as escapeText, foldLines } from 'ical-generator'
import { dayMs } from '../shapes/durations.ts'

/** Octets of a line without its line break, and without the space that continues one. */
const maxOctets = 74
const crlf = '\r\n'

/** A text as the value of a property: without control characters, escaped. */
export function textValue(text: string): string {
  const plain = plainText(text)
  return /[\\;,\r\n]/.test(plain) ? escapeText(plain, false) : plain
}

/** A text as the value of a parameter, which has neither quotes nor control characters. */
export function parameterValue(text: string): string {
  const plain = text.replaceAll('"', '').replaceAll(/\p{Cc}+/gu, ' ')
  return /[;:,]/.test(plain) ? `"${plain}"` : plain
}

/** One line with its line break, folded where it is too long. */
export function folded(line: string): string {
  if (/[^\0-\x7f]/.test(line)) return foldLines(line) + crlf
  if (line.length <= maxOctets) return line + crlf
  let text = line.slice(0, maxOctets)
  for (let from = maxOctets; from < line.length; from += maxOctets) {
    text += `${crlf} ${line.slice(from, from + maxOctets)}`
  }
  return text + crlf
}

const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
/** Times of one event are mostly of one day. */
let known = { day: Number.NaN, date: '' }

/** `20260302T120000Z`. */
export function timeValue(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const day = Math.floor(seconds / 86_400)
  if (day !== known.day) known = { day, date: dateValue(day) }
  const second = seconds - day * 86_400
  const minute = Math.floor(second / 60)
  return `${known.date}T${pairs[Math.floor(minute / 60)]}${pairs[minute % 60]}${pairs[second % 60]}Z`
}

/** `20260302T120000`: what a wall clock shows, which counts like UTC. */
export const wallValue = (wallMs: number): string => timeValue(new Date(wallMs)).slice(0, -1)

/** `20260302`; `day` is in days since 1970-01-01. */
export function dateValue(day: number): string {
  const at = new Date(day * dayMs)
  return String(at.getUTCFullYear()).padStart(4, '0') + pairs[at.getUTCMonth() + 1] + pairs[at.getUTCDate()]
}

/** TEXT of RFC 5545 has no control characters but tab and line breaks, a lone carriage return among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
export const plainText = (text: string): string => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')

/** The same for a title or a name: some readers skip an event whose title has lines. */
export const oneLine = (text: string): string => plainText(text).replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')
