// Suggestions for a person who types an argument of a prompt or of a resource.
import { isoDate } from '../../../src/localtime/spelling.ts'
import { wallDay } from '../../../src/localtime/words.ts'
import { holdsLike } from '../../../src/shapes/likeness.ts'
import { agentsOf, calendarsOf, type Key, type Named, zoneOfNamed } from '../language/names.ts'

const maxValues = 20

const durations = ['15m', '30m', '45m', '1h', '90m', '2h']

/** `typed`: so far. `calendarId`: of the calendar that was chosen before. */
type CompletionRequest = { argument: string; typed: string; calendarId: string | undefined }

/** By the name of the argument; undefined for an argument without suggestions. */
export async function completionsOf(key: Key, { argument, typed, calendarId }: CompletionRequest): Promise<string[]> {
  const all = await valuesOf(key, { argument, typed, calendarId })
  return all.slice(0, maxValues)
}

async function valuesOf(key: Key, { argument, typed, calendarId }: CompletionRequest): Promise<string[]> {
  if (argument === 'calendar_id') return idsLike(await calendarsOf(key), typed)
  if (argument === 'agent_id' || argument === 'organizer_agent_id') return idsLike(await agentsOf(key), typed)
  if (argument === 'agent_ids' || argument === 'participant_agent_ids') return lastOfList(await agentsOf(key), typed)
  if (argument === 'date') return (await days(key, calendarId)).filter((day) => day.startsWith(typed))
  if (argument === 'duration') return durations.filter((duration) => duration.startsWith(typed))
  return []
}

/** Of those whose id begins so, or whose name contains it, in any case. */
function idsLike(named: readonly Named[], typed: string): string[] {
  const input = typed.trim()
  return named
    .filter(({ id, name }) => id.startsWith(input.toLowerCase()) || holdsLike(name, input))
    .map(({ id }) => id)
}

/** The whole list with its last item completed, without those that stand in it. */
function lastOfList(agents: readonly Named[], typed: string): string[] {
  const items = typed.split(',')
  const before = items.slice(0, -1).map((item) => item.trim())
  const ids = idsLike(agents, items.at(-1)!).filter((id) => !before.includes(id))
  return ids.map((id) => [...before, id].join(','))
}

/** Today and the next seven, in the zone of the calendar that was chosen before, or of all calendars. */
async function days(key: Key, calendarId: string | undefined): Promise<string[]> {
  const today = wallDay(key.app.clock.now().getTime(), zoneOfNamed(await calendarsOf(key), calendarId))
  return Array.from({ length: 8 }, (_, nth) => isoDate(today + nth))
}
