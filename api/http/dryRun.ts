// `dry_run=true`: the request is decided like any other. The answer shows the result, and nothing is changed.
import { z } from 'zod'
import type { DryRun, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { resourceOf } from '../../src/changeLog/subject.ts'
import { WouldHappen } from '../../src/commit/dryRun.ts'
import type { EmittedEvent } from '../../src/commit/effect.ts'
import { exampleId } from '../../src/shapes/fields.ts'
import { type Fields, mapFields, mapItems } from '../../src/shapes/mapParts.ts'
import { prose } from './prose.ts'
import { Answer, type Route } from './route.ts'

export const dryRunRecord = z
  .object({
    dry_run: z.literal(true),
    status: z.int().meta({ description: 'The status with which the request itself would be answered.' }),
    body: z
      .looseObject({})
      .nullable()
      .meta({
        description: prose(
          'The body of that answer; null if it would have none.',
          'Values that only the request itself would make (ids, secrets, their prefixes, slugs, addresses) are null.',
        ),
      }),
    effects: z
      .array(
        z.object({
          type: z.string(),
          resource: z.object({
            type: z.string(),
            id: z.string().nullable().meta({ description: 'Null for what the request itself would make.' }),
          }),
        }),
      )
      .meta({
        description:
          'The changes that would happen, in order, as entries of the change feed, with or without subscribers.',
      }),
    spends: z
      .record(z.string(), z.int())
      .meta({ description: 'The units of monthly budgets that the request would take.' }),
  })
  .meta({
    id: 'DryRun',
    description: 'The changes that the request would make. Nothing was changed.',
    example: {
      dry_run: true,
      status: 200,
      body: { id: exampleId('evt'), status: 'confirmed' },
      effects: [{ type: 'event.hold_confirmed', resource: { type: 'event', id: exampleId('evt') } }],
      spends: {},
    },
  })

export const newDryRun = (): DryRun => ({ spends: {}, hasEnd: false })

/** Runs the request of a dry run. Throws the refusal that the request would get. */
export async function answerDry(
  app: App,
  route: Route,
  { dryRun }: RequestContext,
  run: () => Promise<unknown>,
): Promise<Answer> {
  app.metrics.dryRuns.inc()
  try {
    const answer = await run()
    // It would change nothing, because another request has just made the same change.
    if (!dryRun!.hasEnd) throw new Error(`${route.operationId} has no end for a dry run`)
    const [status, body] = answer instanceof Answer ? [answer.status, answer.body] : [route.success.status, answer]
    return new Answer(200, {
      dry_run: true,
      status,
      body: bodyOf(route, status, body),
      effects: [],
      spends: dryRun!.spends,
    })
  } catch (error) {
    if (!(error instanceof WouldHappen)) throw error
    const { answer, emitted } = error
    const effects = emitted.map((one) => ({ type: one.type, resource: unmade(one) }))
    const shown = { body: bodyOf(route, answer.status, answer.body), effects }
    return new Answer(200, {
      dry_run: true,
      status: answer.status,
      ...withoutMade(shown, answer.made),
      spends: dryRun!.spends,
    })
  }
}

/** A 204 has no body, nor has a form that redirects to another page. */
function bodyOf({ success, also = [] }: Route, status: number, body: unknown): unknown {
  // A request that a person has to approve first says so.
  const hasBody = status === 202 || [success, ...also].some((one) => one.status === status && one.schema)
  return hasBody ? (body ?? null) : null
}

/** The subject, without the id of a record that only the request itself would make. A restored one has its id. */
function unmade(emitted: EmittedEvent) {
  const resource = resourceOf(emitted)
  const isNew = emitted.type.endsWith('created') && !('restored' in emitted.payload)
  return isNew ? { ...resource, id: null } : resource
}

/** With null in place of each value that only the request itself would make. */
function withoutMade<T>(shown: T, made: readonly string[]): T {
  const unmade = new Set<unknown>(made)
  const without = (value: unknown): unknown => {
    if (unmade.has(value)) return null
    if (Array.isArray(value)) return mapItems(value, without)
    return isPlain(value) ? mapFields(value, without) : value
  }
  return without(shown) as T
}

/** A date is more than its fields. */
const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
