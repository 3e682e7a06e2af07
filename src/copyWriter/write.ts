// One event and its copy: compare, and write the difference.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { accountOf } from '../connections/account.ts'
import { digestsOf } from '../connections/digests.ts'
import { providerOf } from '../connections/providers.ts'
import { isExpressible } from '../events/externalSync.ts'
import { presentEvent } from '../events/present.ts'
import { lastEnd } from '../events/rule.ts'
import { destinationContext, keptContext } from '../externalCopies/sealed.ts'
import type { Account, CopyTarget, EventCopy } from '../providers/provider.ts'
import type { ProviderName } from '../providers/rules.ts'
import { jobs } from '../wakeups/jobs.ts'
import { copyKey } from './key.ts'
import type { DuePublication } from './leaseQueries.ts'
import { beginWrite, type Lease, removePublication } from './leaseWrites.ts'
import { type Answer, endWrite, noteAnswer, noteFailure } from './outcome.ts'
import { eventToPublish } from './queries.ts'
import { contentOf, renderCopy, shapeOf } from './render.ts'
import { decideTask } from './rules.ts'

const maxDelayMs = 20_000
const pace = { leaseMs: jobs.publish.leaseMs, everyMs: 200, burst: 5 }

/** `again`: the event has changed meanwhile. `lost`: the lane is another worker's. `closed`: this process is ending. */
export type WriteEnd = 'done' | 'again' | 'lost' | 'closed'

export async function writeDifference(app: App, lease: Lease, due: DuePublication): Promise<WriteEnd> {
  const provider = providerOf(app, due.provider as ProviderName, due.orgId)
  if (!provider || !due.credentialsSealed) {
    return ended(await noteFailure(app, lease, due, { category: 'provider_error' }))
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
      isExpressible: isExpressible(event.row, provider),
      content: digest(contentOf(current!)),
      shape: digest(shapeOf(current!)),
    },
    app.clock.now(),
  )
  if (task.kind === 'leave') {
    if (!due.isEnded) {
      return ended(
        await endWrite(app, lease, due, { state: task.state, attempts: 0, error: null, nextAttemptAt: null }),
      )
    }
    await removePublication(app.sql, due)
    return 'done'
  }
  const generation = task.kind === 'write' ? task.generation : due.generation
  const target = targetOf(app, due, keyOf(generation), generation)
  const copy = task.kind === 'write' ? copyAs(generation)! : undefined
  const answer = await throughAccount(app, due, async (account) => {
    const began = await begin(app, lease, due, { generation, isRemoval: !copy })
    if (began.kind !== 'begun') return began
    return copy ? provider.put(account, target, copy) : provider.remove(account, target)
  })
  if (answer.kind === 'closed' || answer.kind === 'again' || answer.kind === 'lost_lane') {
    return answer.kind === 'lost_lane' ? 'lost' : answer.kind
  }
  const written = copy && {
    content: digest(contentOf(copy)),
    shape: digest(shapeOf(copy)),
    endsAt: lastEnd(event!.row),
  }
  return ended(await noteAnswer(app, lease, due, { answer, generation, digests, written }))
}

const ended = (isNoted: boolean): WriteEnd => (isNoted ? 'done' : 'lost')

type Unbegun = { kind: 'again' } | { kind: 'lost_lane' }
type Attempt = (account: Account) => Promise<Answer | Unbegun>

/** A token may end early. Only a new one that is refused too says that the human's consent has ended. */
async function throughAccount(app: App, due: DuePublication, attempt: Attempt): Promise<Answer | Unbegun> {
  const tokens = {
    ...due,
    id: due.connectionId,
    provider: due.provider as ProviderName,
    credentialsSealed: due.credentialsSealed!,
  }
  const usable = await accountOf(app, tokens)
  if (usable.kind !== 'account') return usable
  const answer = await attempt(usable.account)
  if (answer.kind !== 'refused' || answer.reason !== undefined || usable.isNew) return answer
  const renewed = await accountOf(app, tokens, { version: usable.version })
  return renewed.kind === 'account' ? attempt(renewed.account) : renewed
}

/** Waits for the pace. After a long sleep another worker may have begun, so this one leaves it. */
async function begin(
  app: App,
  lease: Lease,
  due: DuePublication,
  write: { generation: number; isRemoval: boolean },
): Promise<{ kind: 'begun' } | Unbegun> {
  const askedAt = performance.now()
  const [begun] = await beginWrite(app.sql, lease, due, write, pace)
  if (!begun) return { kind: 'lost_lane' }
  if (begun.waitMs === null) return { kind: 'again' }
  await pause(begun.waitMs)
  return performance.now() - askedAt > maxDelayMs ? { kind: 'again' } : { kind: 'begun' }
}

async function readEvent(app: App, { orgId, calendarId, eventId }: DuePublication) {
  const [row] = await eventToPublish(app.sql, orgId, calendarId, eventId)
  return row && { row, record: presentEvent(app, row, app.clock.now()) }
}

/** Data of a write of another generation is of no use. */
const targetOf = ({ sealer }: App, due: DuePublication, key: string, generation: number): CopyTarget => ({
  remote: sealer.unseal(destinationContext(due.destinationId), due.remoteSealed),
  key,
  kept:
    due.keptSealed && generation === due.generation
      ? sealer.unseal(keptContext(due.destinationId, due.eventId), due.keptSealed)
      : null,
})
