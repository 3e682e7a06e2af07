// The judgement: the acknowledgements of the API, the database and the receiver must agree.

import type { Receiver } from './arrivals.ts'
import { judgeEntries, renewal } from './entries.ts'
import { type Findings, openFindings } from './findings.ts'
import { judgeHooks } from './hooksCheck.ts'
import type { Owners } from './identity.ts'
import type { Ledger } from './ledger.ts'
import { eventIdOf, holdExpiry, type Moment, momentOfTimer, momentsOf, momentTold } from './moments.ts'
import type { DeliveryFact, EventFact, Snapshot } from './snapshot.ts'

/** Anything younger may still be on its way. */
const graceMs = 5_000
/** A change that was not acknowledged is committed at most this long after the request. */
const unknownMs = 20_000

type Case = {
  snapshot: Snapshot
  findings: Findings
  /** Deliveries to the organizations' webhooks, by event. */
  told: Map<string, DeliveryFact[]>
  /** How often each hold was extended. */
  renewals: Map<string, number>
  timers: Map<string, number>
  ledger: Ledger
}

type Told = { webhookIds: readonly string[]; ledger: Ledger; receiver: Receiver; owners: Owners }

export function judge(snapshot: Snapshot, { webhookIds, ledger, receiver, owners }: Told) {
  const findings = openFindings()
  const judged = new Set(webhookIds)
  const deliveries = snapshot.deliveries.filter(({ subscriptionId }) => judged.has(subscriptionId))
  const timers = new Map<string, number>()
  for (const { eventId, kind, dueAt } of snapshot.timers) {
    const key = momentOfTimer(eventId, kind, dueAt)
    timers.set(key, (timers.get(key) ?? 0) + 1)
    if (dueAt.getTime() < snapshot.at.getTime() - graceMs) findings.add('lost', `not fired: ${key}`)
  }
  const renewals = new Map<string, number>()
  for (const { type, resourceId } of snapshot.changes) {
    if (type === renewal) renewals.set(resourceId, (renewals.get(resourceId) ?? 0) + 1)
  }
  const at: Case = { snapshot, findings, told: Map.groupBy(deliveries, eventIdOf), renewals, timers, ledger }
  for (const event of snapshot.events.values()) judgeEvent(at, event)
  judgeAcknowledged(at)
  judgeOnce(at)
  judgeTagged(at)
  judgeDeliveries(at, deliveries, receiver)
  judgeOrphans(at)
  const orgIds = new Set(webhookIds.flatMap((id) => owners.ownerOf(id) ?? []))
  judgeEntries({ changes: snapshot.changes, deliveries, orgIds }, findings)
  judgeHooks({ deliveries, arrivals: receiver.arrivals, ledger: ledger.hooks }, findings)
  judgeReceivers(at, receiver, owners)
  for (const id of snapshot.miscounted) findings.add('half', `the kept counts of ${id} are wrong`)
  return findings.all
}

/** Every change of an event has its audit entry and exactly one delivery, and every moment a timer or a delivery. */
function judgeEvent({ snapshot, findings, told, renewals, timers, ledger }: Case, event: EventFact) {
  const deliveries = told.get(event.id) ?? []
  const count = (...types: string[]) => deliveries.filter(({ type }) => types.includes(type)).length
  const audited = (action: string) => snapshot.audits.get(`${event.id} ${action}`) ?? 0
  const expect = (what: string, found: number, wanted: number) => {
    if (found < wanted) findings.add('lost', `${event.id}: ${found} ${what}, not ${wanted}`)
    if (found > wanted) findings.add('twice', `${event.id}: ${found} ${what}, not ${wanted}`)
  }
  const half = (isWrong: boolean, what: string) => isWrong && findings.add('half', `${event.id}: ${what}`)

  half(audited('event.create') !== 1, `${audited('event.create')} audit entries of its creation`)
  half(audited('event.delete') !== (event.deletedAt ? 1 : 0), 'deletion and its audit entry disagree')
  expect('deliveries of its creation', count('event.created', 'event.hold_created'), 1)
  const changes = ['event.updated', 'event.hold_confirmed', 'event.hold_released']
  const written = audited('event.update') - (renewals.get(event.id) ?? 0)
  expect('deliveries of its changes', count(...changes), written)
  expect('event.deleted', count('event.deleted'), event.deletedAt ? 1 : 0)
  expect('event.hold_confirmed', count('event.hold_confirmed'), event.outcome === 'confirmed' ? 1 : 0)
  expect('event.hold_released', count('event.hold_released'), event.outcome === 'released' ? 1 : 0)
  const isOver = event.outcome === 'expired' || event.outcome === 'preempted'
  expect('event.hold_expired', count('event.hold_expired'), isOver ? 1 : 0)
  const isHold = event.status === 'hold' && !event.isMember && !event.deletedAt
  half((timers.get(holdExpiry(event).key) ?? 0) !== (isHold ? 1 : 0), 'hold and its expiry timer disagree')
  judgeMoments({ findings, timers, ledger }, event, deliveries)
}

function judgeMoments(
  { findings, timers, ledger }: Pick<Case, 'findings' | 'timers' | 'ledger'>,
  event: EventFact,
  deliveries: readonly DeliveryFact[],
) {
  const moments = new Map(momentsOf(event).map((moment) => [moment.key, moment]))
  const fired = deliveries.flatMap((delivery): (Moment & { firedMs: number })[] => {
    const moment = momentTold(delivery)
    return moment ? [{ ...moment, firedMs: delivery.createdAt.getTime() }] : []
  })
  const changedMs = event.updatedAt.getTime()
  for (const { key, dueMs } of moments.values()) {
    const times = fired.filter((one) => one.key === key).length
    const stands = times + (timers.get(key) ?? 0)
    // A moment that had passed when the event was last written may have fired before, or may never have been set.
    if (stands === 0 && dueMs > changedMs) findings.add('lost', `neither fired nor to be fired: ${key}`)
    if (times > 1) findings.add('twice', `fired ${times} times: ${key}`)
    if (times <= 1 && stands > 1) findings.add('half', `fired, and to be fired again: ${key}`)
  }
  // A change carries the time of its request; while Postgres is frozen, it is committed much later.
  const acknowledgedMs = ledger.acknowledgedAt.get(event.id) ?? 0
  const committedMs = acknowledgedMs >= changedMs ? acknowledgedMs : changedMs + unknownMs
  for (const { key, dueMs, firedMs } of fired) {
    if (!moments.has(key) && dueMs > changedMs && firedMs > committedMs)
      findings.add('twice', `fired although it was taken back: ${key}`)
  }
}

function judgeAcknowledged({ snapshot, findings, ledger }: Case) {
  for (const [id, changes] of ledger.acknowledged) {
    const event = snapshot.events.get(id)
    const has = {
      create: () => event !== undefined,
      confirm: () => event?.outcome === 'confirmed',
      release: () => event?.outcome === 'released',
      delete: () => event?.deletedAt != null,
      update: () =>
        (snapshot.audits.get(`${id} event.update`) ?? 0) >= changes.filter((change) => change === 'update').length,
    }
    for (const change of changes) if (!has[change]()) findings.add('lost', `${id}: the acknowledged ${change} is gone`)
  }
}

/** A request with a key was done once, or not at all if no answer said so. */
function judgeOnce({ snapshot, findings, ledger }: Case) {
  const byStart = Map.groupBy(snapshot.events.values(), ({ startTime }) => startTime.toISOString())
  for (const [start, id] of ledger.once) {
    const made = byStart.get(start) ?? []
    const ids = made.map((event) => event.id).join(', ')
    if (made.length > 1) findings.add('twice', `one key made ${ids}`)
    if (id !== undefined && !made.some((event) => event.id === id))
      findings.add('lost', `a key was answered with ${id}, and made ${ids || 'nothing'}`)
  }
}

/** Of edits with one tag one was done, or none if their answers did not arrive. The repetition of a lost success is refused. */
function judgeTagged({ snapshot, findings, ledger }: Case) {
  for (const [id, { asked, answered, done }] of ledger.tagged) {
    const written = snapshot.audits.get(`${id} event.update`) ?? 0
    if (written > 1 || done > 1) findings.add('twice', `${id}: one tag let ${Math.max(written, done)} edits through`)
    if (written === 0 && answered === asked) findings.add('lost', `${id}: no edit met the tag of its creation`)
  }
}

/**
 * Deliveries that the database calls delivered arrived unchanged, nothing is stuck, and the deliveries of a change keep
 * their order.
 */
function judgeDeliveries({ snapshot, findings }: Case, deliveries: readonly DeliveryFact[], { arrivals }: Receiver) {
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const delivery of deliveries) {
    const [first] = arrivals.get(delivery.id) ?? []
    const ageMs = snapshot.at.getTime() - delivery.createdAt.getTime()
    const name = `${delivery.id} ${delivery.type} of ${eventIdOf(delivery)}`
    if (!first && ageMs > graceMs) findings.add('lost', `${name} never arrived (${delivery.status})`)
    if (first && delivery.status !== 'delivered' && ageMs > graceMs)
      findings.add('lost', `${name} is ${delivery.status}`)
    if (first && first.body !== JSON.stringify(delivery.payload)) findings.add('half', `${name} arrived altered`)
  }
  for (const [id, [first]] of arrivals) {
    const isOlder = first!.at < snapshot.at.getTime()
    if (isOlder && !known.has(id)) findings.add('half', `${id} arrived and is not in the database`)
  }
  for (const group of Map.groupBy(deliveries, ({ changeId }) => changeId).values()) {
    const orders = group
      .toSorted((a, b) => a.position - b.position)
      .map(({ id }) => arrivals.get(id)?.[0]?.order ?? Number.POSITIVE_INFINITY)
    if (orders.some((order, nth) => nth > 0 && order < orders[nth - 1]!))
      findings.add('half', `the deliveries of one change arrived in the wrong order: ${group.map(({ id }) => id)}`)
  }
}

/** The deliveries written for a webhook, and those that arrived, name only its own organization. */
function judgeReceivers({ snapshot, findings }: Case, { arrivals }: Receiver, owners: Owners) {
  const judgeOne = (what: string, orgId: string | undefined, text: string) => {
    if (orgId === undefined) return
    const foreign = owners.foreignIn(orgId, text)
    if (foreign.length > 0) findings.add('foreign', `${what} tells ${orgId} of ${foreign.join(', ')}`)
  }
  for (const { id, subscriptionId, payload } of snapshot.deliveries) {
    judgeOne(`the written ${id}`, owners.ownerOf(subscriptionId), JSON.stringify(payload))
  }
  for (const [id, times] of arrivals) for (const { orgId, body } of times) judgeOne(`the arrived ${id}`, orgId, body)
}

/** Effects without their cause. */
function judgeOrphans({ snapshot, findings, told, timers }: Case) {
  for (const id of told.keys()) {
    if (!snapshot.events.has(id)) findings.add('half', `${id} was delivered and is not in the database`)
  }
  for (const key of snapshot.audits.keys()) {
    const id = key.split(' ')[0]!
    if (!snapshot.events.has(id)) findings.add('half', `${id} was audited and is not in the database`)
  }
  const wanted = new Set<string>()
  for (const event of snapshot.events.values()) {
    for (const { key } of momentsOf(event)) wanted.add(key)
    if (event.status === 'hold' && !event.isMember) wanted.add(holdExpiry(event).key)
  }
  for (const key of timers.keys()) if (!wanted.has(key)) findings.add('half', `a timer without its moment: ${key}`)
}
