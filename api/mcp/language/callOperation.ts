// Asking a route from a tool, inside the service: its own schemas check the input, and the answer is its record.
import { ServiceError } from '../../../src/errors.ts'
import { runInPlace } from '../../http/inPlace.ts'
import { Answer, type Route } from '../../http/route.ts'
import { validate } from '../../http/validation.ts'
import type { OperationInput, ToolCall } from './tool.ts'

/** Throws the errors of the route; the type parameter is the record of its answer. */
export async function callOperation<Record>(
  { app, actor }: ToolCall<unknown>,
  route: Route,
  input: OperationInput,
): Promise<Record> {
  const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined)
  const texts = Object.fromEntries(query.map(([name, value]) => [name, String(value)]))
  const answer = await runInPlace(route, {
    app,
    actor,
    request: actor.request,
    headers: {},
    params: route.params && validate(route.params, input.params ?? {}, 'path'),
    query: route.query ? validate(route.query, texts, 'query') : {},
    body: route.body && validate(route.body, input.body ?? {}, 'body'),
  })
  return (answer instanceof Answer ? answer.body : answer) as Record
}

/** As `callOperation`; undefined if the record does not exist, or no longer exists. */
export const askTwinIfThere = <Record>(
  call: ToolCall<unknown>,
  route: Route,
  input: OperationInput,
): Promise<Record | undefined> =>
  callOperation<Record>(call, route, input).catch((error) => {
    if (error instanceof ServiceError && error.type === 'not_found') return undefined
    throw error
  })
