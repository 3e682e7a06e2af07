// The routes that tools name as their twins.
import type { Route } from '../http/route.ts'
import { routes } from '../routes.ts'

/** By the name that it has in generated clients. */
export function twinOf(operationId: string): Route {
  const route = routes.find((one) => one.operationId === operationId)
  if (!route) throw new Error(`no route ${operationId}`)
  return route
}
