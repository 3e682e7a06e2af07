// Reads whose cost grows with the organization's data take one of its places.
import { type HeavyReadKind, heavyRead } from '../../src/quotas/heavyReads.ts'
import type { Route } from './route.ts'

/** Beyond this, an offset is expensive: Postgres has to read every row that it skips. */
const deepOffset = 1_000

type AnyCall = Parameters<Route['run']>[0]

/** Makes the call of a route, in one of the organization's places for heavy reads if it is one. */
export function runInPlace(route: Route, call: AnyCall): Promise<unknown> {
  const { app, actor, query } = call
  const kind = heavyKindOf(route, query)
  return kind && actor ? heavyRead(app, actor.orgId, kind, () => route.run(call)) : route.run(call)
}

function heavyKindOf({ heavy }: Route, query: unknown): HeavyReadKind | undefined {
  if (heavy && (!heavy.when || heavy.when(query))) return heavy.kind
  return ((query as { offset?: number } | undefined)?.offset ?? 0) > deepOffset ? 'list' : undefined
}
