// The time zones that a guest can choose. `Intl` lists some under outdated names.

const renamed: Record<string, string> = {
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
}

export const currentName = (zone: string): string => renamed[zone] ?? zone

const everyZone = ['UTC', ...Intl.supportedValuesOf('timeZone').map(currentName)]

export const zonesWith = (...more: string[]): string[] => [...new Set([...everyZone, ...more])].sort()
