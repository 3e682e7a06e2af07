// The records that a key sees, by id and name: for the lists, prompts and completions of the protocol.
import type { Actor } from '../../../src/actors/actor.ts'
import type { App } from '../../../src/app.ts'
import type { List } from '../../../src/shapes/lists.ts'
import type { Route } from '../../http/route.ts'
import { callOperation } from './callOperation.ts'
import { routeNamed } from './routeNamed.ts'
import { stripHiddenCharacters } from './stripHiddenCharacters.ts'

export type Key = { app: App; actor: Actor }
export type Named = { id: string; name: string }
type NamedCalendar = Named & { timezone: string; agentId: string | null }

const pageSize = 200
/** At most this many are searched. */
const maxNamed = 1_000

export const calendarsOf = (key: Key, max = maxNamed) =>
  pages<NamedCalendar>(key, routeNamed('listCalendars'), { include: 'all' }, max)

/** The zone of the given calendar, else the one that all share, else UTC. */
export function zoneOfNamed(calendars: readonly NamedCalendar[], id: string | undefined): string {
  const named = calendars.find((one) => one.id === id)
  const [zone = 'UTC', ...others] = new Set((named ? [named] : calendars).map(({ timezone }) => timezone))
  return others.length === 0 ? zone : 'UTC'
}

export const agentsOf = (key: Key, max = maxNamed) => pages<Named>(key, routeNamed('listAgents'), {}, max)

async function pages<T>(key: Key, route: Route, query: object, max: number): Promise<T[]> {
  const found: T[] = []
  for (;;) {
    const page = { ...query, limit: Math.min(pageSize, max), offset: found.length }
    const { data, total } = await callOperation<List<T>>({ ...key, arguments: {} }, route, { query: page })
    found.push(...(stripHiddenCharacters(data) as T[]))
    if (data.length === 0 || found.length >= Math.min(total, max)) return found
  }
}
