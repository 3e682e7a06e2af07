// Query parameters that change how a mutation is done. Who misspells one must not get the change without it, and every
// mutation takes `explain`, whether it has something to explain or not.
import { z } from 'zod'
import { invalid } from '../../src/errors.ts'
import { queryBoolean } from '../../src/shapes/fields.ts'
import type { Route } from './route.ts'
import { validate } from './validation.ts'

const switches = ['dry_run', 'explain', 'require_free'] as const

/** Letters alone tell a misspelt name from any other. */
const bare = (name: string) => name.replaceAll(/[-_]/g, '').toLowerCase()
const nameOf = new Map<string, string>(switches.map((name) => [bare(name), name]))

const explainAlone = z.object({ explain: queryBoolean })

/** The query as the schema of the route is to see it. */
export function readSwitches(route: Route, query: Record<string, unknown>): Record<string, unknown> {
  if (route.method === 'get' || route.access === 'public') return query
  for (const name of Object.keys(query)) {
    const meant = nameOf.get(bare(name))
    if (meant && meant !== name) throw invalid(`Unknown query parameter \`${name}\`. Did you mean \`${meant}\`?`, name)
  }
  if (!Object.hasOwn(query, 'explain') || takesExplain(route)) return query
  const { explain, ...rest } = query
  validate(explainAlone, { explain }, 'query')
  return rest
}

const takesExplain = ({ query }: Route) => query instanceof z.ZodObject && 'explain' in query.shape
