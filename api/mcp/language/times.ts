// Time arguments of tools: which zone a local time is in, and the moment that it means.

import { invalid } from '../../../src/errors.ts'
import type { Refusal } from '../../../src/localtime/refusal.ts'
import {
  endOfWindow,
  exactTime,
  offsetRefusal,
  readSentTime,
  type SentTime,
  startOfWindow,
} from '../../../src/localtime/sentTime.ts'
import { momentWhen, momentWords } from '../../../src/localtime/words.ts'
import { dayMs } from '../../../src/shapes/durations.ts'
import { ToolRefusal } from './toolRefusal.ts'

/** `requested`: the argument `timezone`. `ofCalendars`: those of the calendars in question, each once. */
export type Zones = { requested?: string | undefined; ofCalendars: readonly string[] }

/** The zone that calendars share; undefined if they differ. Without calendars it is UTC. */
function sharedZone({ requested, ofCalendars }: Zones): string | undefined {
  if (requested !== undefined) return requested
  return ofCalendars.length > 1 ? undefined : (ofCalendars[0] ?? 'UTC')
}

/** The zone in which times are shown. */
export const zoneOfAnswer = (zones: Zones): string => sharedZone(zones) ?? 'UTC'

/** With further keys, such as the subject. */
export type Warning = { code: string; message: string; [key: string]: unknown }

/** For an answer about several zones. */
export const zoneWarnings = (zones: Zones): Warning[] =>
  sharedZone(zones) === undefined
    ? [
        {
          code: 'mixed_zones',
          message: `The calendars are in ${zones.ofCalendars.join(', ')}, so times are in UTC. Give timezone for another zone.`,
        },
      ]
    : []

/** The context of a time: the name of the argument, the zones in question, and the current time. */
type Reader = {
  param: string
  zones: Zones
  now: Date
  /** For an event that may last the whole day instead. */
  isOfEvent?: boolean
}

/** The time of an event or an occurrence: exact, so neither a date nor a time that clocks skip or show twice. */
export function readMoment(text: string, reader: Reader): Date {
  const sent = readSent(text, reader)
  if (sent.kind === 'date') {
    throw new ToolRefusal(`${reader.param}: a date alone is for all-day events and windows; give a time as well.`, {
      param: reader.param,
      code: 'invalid_time_format',
      suggestions: reader.isOfEvent ? [{ arguments: { all_day: true }, note: 'The whole day.' }] : [],
    })
  }
  if (sent.kind === 'instant') return sent.at
  const at = exactTime(sent, requireZone(reader))
  if (at instanceof Date) return at
  throw refusedTime(at, reader)
}

/** The day of an all-day event, counted from 1970-01-01, or a moment. */
export function readDay(text: string, reader: Reader): number | Date {
  const sent = readSent(text, reader)
  return sent.kind === 'date' ? sent.day : readMoment(text, reader)
}

/** How long a window is if its end is not given. */
const usualWindowMs = 7 * dayMs

type SentWindow = { start?: string | undefined; end?: string | undefined }

/** `[start, end)`: from now and for a week unless they are given. */
export function readWindow({ start, end }: SentWindow, zones: Zones, now: Date): { start: Date; end: Date } {
  const window = readBounds({ start, end }, zones, now)
  if (window.end <= window.start) throw invalid('end: must be after start', 'end', 'end_before_start')
  return window
}

/** As `readWindow`, in any order. */
export function readBounds({ start, end }: SentWindow, zones: Zones, now: Date): { start: Date; end: Date } {
  const from = start === undefined ? now : boundOf(start, { param: 'start', zones, now }, startOfWindow)
  const until =
    end === undefined
      ? new Date(from.getTime() + usualWindowMs)
      : boundOf(end, { param: 'end', zones, now }, endOfWindow)
  return { start: from, end: until }
}

/** The start of a window by itself. */
export const readStart = (text: string, reader: Reader): Date => boundOf(text, reader, startOfWindow)

/** The last moment of a window whose end belongs to it. */
export const readLast = (text: string, reader: Reader): Date =>
  boundOf(text, reader, (sent, zone) => new Date(endOfWindow(sent, zone).getTime() - (sent.kind === 'date' ? 1 : 0)))

function boundOf(text: string, reader: Reader, momentOf: (sent: SentTime, zone: string) => Date): Date {
  const sent = readSent(text, reader)
  return sent.kind === 'instant' ? sent.at : momentOf(sent, requireZone(reader))
}

function readSent(text: string, reader: Reader): SentTime {
  const sent = readSentTime(text)
  if (sent.kind === 'refused') throw refusedTime(sent, reader)
  const { requested } = reader.zones
  const misfit = requested === undefined ? undefined : offsetRefusal(sent, requested)
  if (misfit) throw refusedTime(misfit, reader)
  return sent
}

function requireZone({ param, zones }: Reader): string {
  const zone = sharedZone(zones)
  if (zone !== undefined) return zone
  throw new ToolRefusal(`${param}: a local time needs timezone, because the calendars are in different zones.`, {
    param: 'timezone',
    code: 'timezone_required',
    suggestions: zones.ofCalendars.map((timezone) => ({
      arguments: { timezone },
      note: 'In this zone.',
    })),
  })
}

function refusedTime({ code, message, suggestions }: Refusal, { param, zones, now }: Reader): ToolRefusal {
  const zone = zoneOfAnswer(zones)
  const isWords = code === 'invalid_time_format'
  return new ToolRefusal(`${param}: ${message}.${isWords ? ` It is now ${momentWords(now.getTime(), zone)}.` : ''}`, {
    param,
    code,
    suggestions: suggestions.map((text) => ({
      arguments: { [param]: text },
      when: momentWhen(Date.parse(text), zone, now.getTime()),
    })),
  })
}
