// How each door runs an approved request.
import { z } from 'zod'
import type { App } from '../src/app.ts'
import type { StoredRequest } from '../src/approvals/stored.ts'
import { notFound } from '../src/errors.ts'
import { runnersOf } from './gate/approvals.ts'
import { runInPlace } from './http/inPlace.ts'
import type { Route } from './http/route.ts'
import { readSwitches } from './http/switches.ts'
import { validate } from './http/validation.ts'
import { partsOf } from './mcp/language/parts.ts'
import { fromStoredCall } from './mcp/language/storedCall.ts'
import { toolNamed } from './mcp/tools/toolTable.ts'
import { routes } from './routes.ts'

type Of<Door extends StoredRequest['door']> = Extract<StoredRequest, { door: Door }>

const noFields = z.strictObject({})

function routeOf({ operation }: Of<'rest'>): Route {
  const route = routes.find(({ operationId }) => operationId === operation)
  if (!route) throw notFound('operation')
  return route
}

function toolOf({ tool: name }: Of<'mcp'>) {
  const tool = toolNamed(name)
  if (!tool?.takesKey || tool.kind === 'read') throw notFound('tool')
  return tool
}

export function openRunners(app: App): void {
  const runners = runnersOf(app)
  runners.rest = {
    routeOf,
    async run(actor, stored) {
      const route = routeOf(stored)
      if (stored.ifMatch !== undefined) actor.request.ifMatch = stored.ifMatch
      // A conflict comes with other times.
      const query = readSwitches(route, { ...stored.query, explain: 'true' })
      return runInPlace(route, {
        ...{ app, actor, request: actor.request, headers: {} },
        params: route.params && validate(route.params, stored.params, 'path'),
        query: validate(route.query ?? noFields, query, 'query'),
        body: route.body && validate(route.body, stored.body ?? {}, 'body'),
      })
    },
  }
  runners.mcp = {
    routeOf: (stored) => toolOf(stored).twins[0],
    async run(actor, stored) {
      const { input, context, ...sent } = fromStoredCall(stored.call)
      return partsOf(toolOf(stored)).act({ app, actor, ...sent }, input, context)
    },
  }
}
