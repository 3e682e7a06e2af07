// Reads whose cost grows with the organization's data take one of its places. So do all reads of an organization whose answers have
// taken more than its share of the process lately.
import type { App } from '../../src/app.ts'
import { type HeavyReadKind, heavyRead } from '../../src/quotas/heavyReads.ts'
import { isOverShare } from '../../src/quotas/loopShare.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import type { Route } from './route.ts'

/** Beyond this, an offset is expensive: Postgres has to read every row that it skips. */
const deepOffset = 1_000

type AnyCall = Parameters<Route['run']>[0]

/** Makes the call of a route, in one of the organization's places for heavy reads if it is one. */
export function runInPlace(route: Route, call: AnyCall): Promise<unknown> {
  const { app, actor, query } = call
  const kind = actor && heavyKindOf(app, actor.orgId, route, query)
  return kind ? heavyRead(app, actor.orgId, kind, () => route.run(call)) : route.run(call)
}

type PageQuery = { offset?: number; limit?: number } | undefined

function heavyKindOf(
  app: App,
  orgId: Uuid,
  { heavy, waits, spends }: Route,
  query: unknown,
): HeavyReadKind | undefined {
  if (heavy && (!heavy.when || heavy.when(query))) return heavy.kind
  const { offset = 0, limit } = (query as PageQuery) ?? {}
  if (offset > deepOffset) return 'list'
  if (waits || !isOverShare(app, orgId)) return undefined
  // Also one that is remembered, for which nothing is read.
  if (spends === 'availability_queries') return 'availability'
  return limit === undefined ? undefined : 'list'
}
