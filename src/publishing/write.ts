// One event and its copy: compare, and write the difference.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { accountOf } from '../connections/account.ts'
import { digestsOf } from '../connections/digests.ts'
import type { CopyPlace, EventCopy } from '../connections/providers/provider.ts'
import { providerOf } from '../connections/providers.ts'
import type { ProviderName } from '../connections/rules.ts'
import { presentEvent } from '../events/present.ts'
import { lastEnd } from '../events/rule.ts'
import type { DuePublication } from '../publications/laneQueries.ts'
import { beginWrite, type ClaimedLane, removePublication } from '../publications/laneWrites.ts'
import { destinationPlace, keptPlace } from '../publications/sealed.ts'
import { copyKey } from './key.ts'
import { type Answer, endWrite, noteAnswer, noteFailure } from './outcome.ts'
import { eventToPublish } from './queries.ts'
import { contentOf, renderCopy, shapeOf } from './render.ts'
import { decideTask } from './rules.ts'

/** A write takes 20 s at the provider at most. */
export const leaseMs = 45_000
const pace = { leaseMs, everyMs: 200, burst: 5 }

/** `again`: the event has changed meanwhile, or the lane is another worker's. `closed`: this process is ending. */
export async function writeDifference(
  app: App,
  lane: ClaimedLane,
  due: DuePublication,
): Promise<'done' | 'again' | 'closed'> {
  const provider = providerOf(app, due.provider as ProviderName)
  if (!provider || !due.credentialsSealed) {
    await noteFailure(app, lane, due, { category: 'provider_error' })
    return 'done'
  }
  const digests = await digestsOf(app, due.orgId)
  const keyOf = (generation: number) => copyKey(digests, due.destinationId, due.eventId, generation)
  const digest = (text: string) => Buffer.from(digests('content', text), 'hex')
  const event = due.isEnded ? undefined : await readEvent(app, due)
  const copyAs = (generation: number): EventCopy | undefined =>
    event && renderCopy(event.row, event.record, keyOf(generation))
  const current = copyAs(due.generation)
  const task = decideTask(
    due,
    event && {
      status: event.row.status,
      source: event.row.source,
      endsAt: lastEnd(event.row),
      isExpressible: event.row.recurrenceRule === null || provider.expresses(event.row.recurrenceRule),
      content: digest(contentOf(current!)),
      shape: digest(shapeOf(current!)),
    },
    app.clock.now(),
  )
  if (task.kind === 'leave') {
    if (due.isEnded) await removePublication(app.sql, due)
    else await endWrite(app, lane, due, { state: task.state, attempts: 0, error: null, nextAttemptAt: null })
    return 'done'
  }
  const generation = task.kind === 'write' ? task.generation : due.generation
  const account = await accountOf(app, {
    ...due,
    id: due.connectionId,
    provider: due.provider as ProviderName,
    credentialsSealed: due.credentialsSealed,
  })
  const [begun] = await beginWrite(app.sql, lane, due, generation, pace)
  if (!begun) return 'again'
  await pause(begun.waitMs)
  const place = placeOf(app, due, keyOf(generation), generation)
  const copy = task.kind === 'write' ? copyAs(generation)! : undefined
  const answer: Answer =
    account.kind !== 'account'
      ? account
      : copy
        ? await provider.put(account.account, place, copy)
        : await provider.remove(account.account, place)
  if (answer.kind === 'closed') return 'closed'
  const written = copy && {
    content: digest(contentOf(copy)),
    shape: digest(shapeOf(copy)),
    endsAt: lastEnd(event!.row),
  }
  await noteAnswer(app, lane, due, { answer, generation, digests, written })
  return 'done'
}

async function readEvent(app: App, { orgId, calendarId, eventId }: DuePublication) {
  const [row] = await eventToPublish(app.sql, orgId, calendarId, eventId)
  return row && { row, record: presentEvent(app, row, app.clock.now()) }
}

/** What a write of another generation left is no longer of use. */
const placeOf = ({ sealer }: App, due: DuePublication, key: string, generation: number): CopyPlace => ({
  remote: sealer.unseal(destinationPlace(due.destinationId), due.remoteSealed),
  key,
  kept:
    due.keptSealed && generation === due.generation
      ? sealer.unseal(keptPlace(due.destinationId, due.eventId), due.keptSealed)
      : null,
})
