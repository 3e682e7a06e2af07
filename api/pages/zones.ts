// The time zones that a guest can choose, and the texts that a guest may type for one. `Intl` lists some under outdated names.
import { minuteMs } from '../../src/shapes/durations.ts'
import { isZone, offsetStretches } from '../../src/shapes/zones.ts'

const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

export const currentName = (zone: string): string => renamed[zone] ?? zone

const everyZone = ['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName)]

export const zonesWith = (...more: string[]): string[] => [...new Set([...everyZone, ...more])].sort()

const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
const cityOf = (zone: string): string => plain(zone.split('/').at(-1)!)

/** The zone that a guest means: its name, or its city. Undefined without a match. */
export function zoneMeant(typed: string): string | undefined {
  const text = typed.trim().replace(/\s+/g, '_')
  if (isZone(text)) return everyZone.find((zone) => zone.toLowerCase() === text.toLowerCase()) ?? text
  return everyZone.find((zone) => cityOf(zone) === plain(typed))
}

/** `GMT+1`, `GMT−3:30`, `GMT`. */
export function offsetText(zone: string, atMs: number): string {
  const [{ offsetMs } = { offsetMs: 0 }] = offsetStretches(zone, atMs, atMs + 1)
  const minutes = Math.round(Math.abs(offsetMs) / minuteMs)
  if (minutes === 0) return 'GMT'
  const rest = minutes % 60
  return `GMT${offsetMs < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''}`
}

/** `New York`. */
export const zoneCity = (zone: string): string => zone.split('/').at(-1)!.replaceAll('_', ' ')
