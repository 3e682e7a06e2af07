// The copies of the trial's events in a calendar at a provider, read past all faults.
import type { Account } from './desk.ts'
import type { Site } from './site.ts'

/** `title` names the event that it is a copy of. */
type Copy = { title: string; startMs: number }

const shortTime = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

export async function copiesOf(site: Site, { provider, name, calendars }: Account): Promise<Copy[]> {
  const { google, microsoft, radicale } = site
  const { remote } = calendars[0]!
  if (provider === 'google') {
    return [...google.calendarOf(remote)!.events.values()]
      .filter(({ status }) => status !== 'cancelled')
      .map(({ summary = '', start }) => ({ title: summary, startMs: Date.parse(start.dateTime ?? '') }))
  }
  if (provider === 'microsoft') {
    return [...microsoft.mailbox.events.values()]
      .filter(({ calendar }) => calendar === remote)
      .map(({ fields, times }) => ({ title: fields.subject ?? '', startMs: times.startMs }))
  }
  return (await radicale.objects(name)).map((text) => ({
    title: /SUMMARY:(.*?)\r?\n/.exec(text)?.[1] ?? '',
    startMs: Date.parse((/DTSTART:(\w+)/.exec(text)?.[1] ?? '').replace(shortTime, '$1-$2-$3T$4:$5:$6Z')),
  }))
}

export type Comparison = { lost: string[]; double: string[]; orphaned: string[]; outdated: string[] }

/** The actual copies and the expected ones: the start of each expected event, by its title. */
export function compareCopies(wanted: ReadonlyMap<string, number>, copies: readonly Copy[]): Comparison {
  const found = new Map<string, number>()
  const comparison: Comparison = { lost: [], double: [], orphaned: [], outdated: [] }
  for (const { title, startMs } of copies) {
    if (found.has(title)) comparison.double.push(title)
    else if (!wanted.has(title)) comparison.orphaned.push(title)
    else if (wanted.get(title) !== startMs) comparison.outdated.push(title)
    found.set(title, startMs)
  }
  for (const title of wanted.keys()) if (!found.has(title)) comparison.lost.push(title)
  return comparison
}
