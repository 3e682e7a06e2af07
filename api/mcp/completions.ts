// What a host offers while a person types an argument of a prompt or of a resource.
import { isoTime } from '../../src/shapes/datetimes.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { agentsOf, calendarsOf, type Key, type Named } from './names.ts'

const maxValues = 20

const durations = ['15m', '30m', '45m', '1h', '90m', '2h']

/** By the name of the argument; undefined for one that nothing is known about. */
export async function completionsOf(key: Key, argument: string, typed: string): Promise<string[]> {
  const all = await valuesOf(key, argument, typed)
  return all.slice(0, maxValues)
}

async function valuesOf(key: Key, argument: string, typed: string): Promise<string[]> {
  if (argument === 'calendar_id') return idsLike(await calendarsOf(key), typed)
  if (argument === 'agent_id' || argument === 'organizer_agent_id') return idsLike(await agentsOf(key), typed)
  if (argument === 'agent_ids' || argument === 'participant_agent_ids') return lastOfList(await agentsOf(key), typed)
  if (argument === 'date') return days(key).filter((day) => day.startsWith(typed))
  if (argument === 'duration') return durations.filter((duration) => duration.startsWith(typed))
  return []
}

/** Of those whose id begins so, or whose name contains it, in any case. */
function idsLike(named: readonly Named[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase()
  return named
    .filter(({ id, name }) => id.startsWith(wanted) || name.toLowerCase().includes(wanted))
    .map(({ id }) => id)
}

/** The whole list with its last item completed, without those that stand in it. */
function lastOfList(agents: readonly Named[], typed: string): string[] {
  const items = typed.split(',')
  const before = items.slice(0, -1).map((item) => item.trim())
  const ids = idsLike(agents, items.at(-1)!).filter((id) => !before.includes(id))
  return ids.map((id) => [...before, id].join(','))
}

/** Today and the next seven, in UTC. */
function days({ app }: Key): string[] {
  const now = app.clock.now().getTime()
  return Array.from({ length: 8 }, (_, nth) => isoTime(new Date(now + nth * dayMs)).slice(0, 10))
}
