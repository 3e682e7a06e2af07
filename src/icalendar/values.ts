// The values of properties: dates and times, durations, text.
import { earliestMs, firstDayOfMonth, latestMs, monthLength } from '../recurrence/civil.ts'
import { decoderOf } from '../shapes/charset.ts'
import { dayMs } from '../shapes/durations.ts'
import type { Property } from './components.ts'

/**
 * A date or a time as written. `wallMs` is the wall clock, counted as if it were UTC; `offsetMs` is the written offset (0 for
 * Z), undefined for local time.
 */
export type Stamp = { wallMs: number; isDate: boolean; offsetMs: number | undefined }

const stampPattern =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(?:[.,]\d{1,9})?(Z|[+-]\d{2}:?\d{2})?|TZ?)?$/i

export function parseStamp(text: string, isDateOnly = false): Stamp | undefined {
  const usual = usualStamp(text)
  if (usual && !isDateOnly) return usual
  const match = stampPattern.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '0', offset] = match
  const civilDayMs = dayOf(Number(year), Number(month), Number(day))
  if (civilDayMs === undefined) return undefined
  if (isDateOnly || hour === undefined) return { wallMs: civilDayMs, isDate: true, offsetMs: undefined }
  // Leap seconds are the second before, 24:00 is the next day's midnight.
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59)
  if (Number(minute) > 59 || Number(second) > 60 || seconds > 86_400) return undefined
  const offsetMs = offset === undefined ? undefined : parseOffset(offset)
  if (offset !== undefined && offsetMs === undefined) return undefined
  return { wallMs: civilDayMs + seconds * 1000, isDate: false, offsetMs }
}

/** The midnight of a day that there is, within the times that are kept; undefined also for numbers that are NaN. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const monthIndex = year * 12 + month - 1
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= monthLength(monthIndex))) return undefined
  const civilDayMs = (firstDayOfMonth(monthIndex) + day - 1) * dayMs
  return civilDayMs >= earliestMs && civilDayMs <= latestMs ? civilDayMs : undefined
}

/** `20260302T120000` with or without `Z`, by its digits; undefined for any other form, and for an invalid time. */
function usualStamp(text: string): Stamp | undefined {
  const isUtc = text.length === 16 && text.charCodeAt(15) === 0x5a
  if ((text.length !== 15 && !isUtc) || text.charCodeAt(8) !== 0x54) return undefined
  const civilDayMs = dayOf(digits(text, 0) * 100 + digits(text, 2), digits(text, 4), digits(text, 6))
  const [hour, minute, second] = [digits(text, 9), digits(text, 11), digits(text, 13)]
  if (civilDayMs === undefined || !(hour < 24 && minute < 60 && second < 60)) return undefined
  const wallMs = civilDayMs + (hour * 3600 + minute * 60 + second) * 1000
  return { wallMs, isDate: false, offsetMs: isUtc ? 0 : undefined }
}

/** Two digits as a number, NaN for other text. */
function digits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 0x30, text.charCodeAt(at + 1) - 0x30]
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** `Z`, `+0100`, `+01:00` or `+010000`, in milliseconds. */
export function parseOffset(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0
  const match = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(text.trim())
  if (!match) return undefined
  const [, sign, hours, minutes, seconds = '0'] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}

/** A length of time: days by the calendar, then milliseconds by the clock. */
export type Span = { days: number; ms: number }

const durationPattern = /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/i

export function parseDuration(text: string): Span | undefined {
  const match = durationPattern.exec(text.trim())
  if (!match || /[PT]$/i.test(text.trim())) return undefined
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
  const factor = sign === '-' ? -1 : 1
  return {
    days: factor * (Number(weeks) * 7 + Number(days)),
    ms: factor * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000,
  }
}

/** A parameter of a property, without the quotes around it. */
export function parameterOf(property: Property, name: string): string | undefined {
  const prefix = `${name}=`
  const found = property.parameters.find((text) => text.slice(0, prefix.length).toUpperCase() === prefix)
  return found?.slice(prefix.length).replaceAll('"', '').trim()
}

/**
 * The times a property lists, and the name of their zone. The text after an unquoted colon in that name (`TZID=(UTC+01:00)
 * Berlin`, `TZID=tzone://Microsoft/Utc`) has moved into the value.
 */
export function listedTimes(property: Property): { times: string[]; zoneName: string | undefined; isDate: boolean } {
  const zoneName = parameterOf(property, 'TZID')
  const isDate = parameterOf(property, 'VALUE')?.toUpperCase() === 'DATE'
  const { value } = property
  const colon = zoneName === undefined || /^\s*\d{4}-?\d{2}-?\d{2}/.test(value) ? -1 : value.lastIndexOf(':')
  if (colon === -1) return { times: value.split(','), zoneName, isDate }
  return { times: value.slice(colon + 1).split(','), zoneName: `${zoneName}:${value.slice(0, colon)}`, isDate }
}

/** Of a STATUS. Some write CANCELED. */
export const isCancelled = (status: string | undefined): boolean => /^\s*cancell?ed\s*$/i.test(status ?? '')

const titleLength = 500
const descriptionLength = 50_000

export const titleOf = (property: Property | undefined): string => lineOf(property, titleLength) || '(no title)'

/** A text as one line, cut; an absent property has an empty text. */
export const lineOf = (property: Property | undefined, length: number): string => asLine(textOf(property), length)

const asLine = (text: string, length: number): string => cut(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), length)

/** The texts of a list, each as one line. A comma that is escaped is part of a text. */
export const listedTexts = ({ value }: Property, length: number): string[] =>
  (value.match(/(?:\\.|[^\\,])+/gs) ?? []).map((text) => asLine(unescaped(text), length))

export function descriptionOf(property: Property | undefined): string | null {
  const text = textOf(property)
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  return cut(text, descriptionLength) || null
}

const textOf = (property: Property | undefined): string =>
  property === undefined ? '' : unescaped(isQuotedPrintable(property) ? unquotedPrintable(property) : property.value)

const isQuotedPrintable = (property: Property): boolean =>
  property.parameters.length > 0 && parameterOf(property, 'ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE'

/** Of vCalendar 1.0, but found in 2.0. An `=` that no two digits follow stands for itself. */
function unquotedPrintable(property: Property): string {
  const decoder = decoderOf(parameterOf(property, 'CHARSET') ?? 'utf-8') ?? new TextDecoder()
  return property.value.replace(/(?:=[\dA-F]{2})+/gi, (escaped) =>
    decoder.decode(Buffer.from(escaped.replaceAll('=', ''), 'hex')),
  )
}

const unescaped = (value: string): string =>
  !value.includes('\\')
    ? value
    : value.replace(/\\([\\;,:"nN])/g, (_, mark: string) => (mark === 'n' || mark === 'N' ? '\n' : mark))

/** Never through the middle of a pair of surrogates; a lone one cannot be stored. */
const cut = (text: string, length: number): string =>
  (text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text).toWellFormed().trim()
