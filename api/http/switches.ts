// Query parameters that change how a mutation is done. A misspelt one must not cause the change without it. Every mutation
// takes `explain`, whether it has something to explain or not, and `dry_run`.
import type { Request } from 'express'
import { z } from 'zod'
import { invalid } from '../../src/errors.ts'
import { queryBoolean } from '../../src/shapes/fields.ts'
import { isMutation, type Route } from './route.ts'
import { validate } from './validation.ts'

const switches = ['dry_run', 'explain', 'require_free'] as const

/** Letters alone tell a misspelt name from any other. */
const bare = (name: string) => name.replaceAll(/[-_]/g, '').toLowerCase()
const nameOf = new Map<string, string>(switches.map((name) => [bare(name), name]))

const dryRunAlone = z.object({ dry_run: queryBoolean.optional() })
const ofEveryMutation = dryRunAlone.extend({ explain: queryBoolean.optional() })

/** Whether the request is a dry run. */
export const isDryRun = (route: Route, req: Request): boolean =>
  isMutation(route) && req.url.includes('?') && req.query.dry_run === 'true'

/** The query as the schema of the route is to see it. */
export function readSwitches(route: Route, query: Record<string, unknown>): Record<string, unknown> {
  if (!isMutation(route)) return route.method === 'get' ? query : withoutDryRun(query)
  for (const name of Object.keys(query)) {
    const meant = nameOf.get(bare(name))
    if (meant && meant !== name) throw invalid(`Unknown query parameter \`${name}\`. Did you mean \`${meant}\`?`, name)
  }
  if (query.dry_run === undefined && query.explain === undefined) return query
  if (takesExplain(route)) {
    validate(dryRunAlone, query, 'query')
    return withoutDryRun(query)
  }
  validate(ofEveryMutation, query, 'query')
  const { explain: _, ...rest } = withoutDryRun(query)
  return rest
}

const withoutDryRun = ({ dry_run: _, ...rest }: Record<string, unknown>) => rest

const takesExplain = ({ query }: Route) => query instanceof z.ZodObject && 'explain' in query.shape
