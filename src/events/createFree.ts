// Creating an event that is written only if its time is free. The creates of one calendar take their turn together: they are
// judged side by side, and those that are free and not in each other's way are written by one statement.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Spans, wouldMeet } from '../availability/inTheWay.ts'
import type { Judgement, Rules } from '../availability/judge.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { again } from '../commit/decide.ts'
import type { Uuid } from '../shapes/ids.ts'
import { batchedPerKey } from '../stores/keyedBatch.ts'
import type { EventRow } from './columns.ts'
import { externalSyncOf } from './externalSync.ts'
import { type FreeEvent, insertFree } from './insertTogether.ts'
import { presentEvent } from './present.ts'
import { judgeEvent, notFree, type Terms } from './requireFree.ts'
import { newEventRow } from './row.ts'
import type { CreateEventBody } from './schema.ts'
import { spansOf } from './wanted.ts'
import type { Written } from './written.ts'

type Asking = {
  actor: Actor
  calendarId: string
  body: CreateEventBody
  terms: Terms & { free: Rules }
  /** Where the calendar is published to, as far as is known. */
  destinationId: Uuid | null
  /** Runs what is done for this request in its own trace. */
  within: ReturnType<typeof AsyncLocalStorage.snapshot>
}

type Outcome =
  | { kind: 'written'; written: Written }
  | { kind: 'refused'; row: EventRow; judgement: Judgement; now: Date }
  | { kind: 'failed'; error: unknown }

/**
 * Creates of one moment share the statement that reads and the one that writes. Whether the calendar may be written to is looked into
 * only before a refusal.
 */
export async function createFreeEvent(
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  terms: Terms & { free: Rules },
): Promise<Written> {
  const within = AsyncLocalStorage.snapshot()
  const asking = { actor, calendarId, body, terms, destinationId: null, within }
  const outcome = await app.memory(openLines)(requireCalendarId(calendarId), asking)
  if (outcome.kind === 'written') return outcome.written
  if (outcome.kind === 'failed') throw outcome.error
  await requireLiveCalendar(app, actor, calendarId)
  const { row, judgement, now } = outcome
  throw await notFree(app, { ...row, title: body.title }, {}, judgement, terms, now)
}

const maxTogether = 20
const gather = { upTo: maxTogether, gatherMs: 2 }

const openLines = (app: App) =>
  batchedPerKey<Asking, Outcome>(maxTogether, (key, asking) => createAll(app, key as Uuid, asking), { gather })

/** In the calendar's turn: rounds until every create is written or refused. */
async function createAll(app: App, calendarId: Uuid, asking: readonly Asking[]): Promise<Outcome[]> {
  const outcomes = new Map<Asking, Outcome>()
  const left = () => asking.filter((one) => !outcomes.has(one))
  try {
    await onCalendar(app, calendarId, async () => {
      await runRound(app, calendarId, left(), outcomes)
      return left().length === 0 ? undefined : again
    })
  } catch (error) {
    for (const one of left()) outcomes.set(one, { kind: 'failed', error })
  }
  return asking.map((one) => outcomes.get(one)!)
}

/** A create without an outcome is decided again: somebody else was first, perhaps one of this round. */
async function runRound(
  app: App,
  calendarId: Uuid,
  asking: readonly Asking[],
  outcomes: Map<Asking, Outcome>,
): Promise<void> {
  const attempt = <T>(one: Asking, work: () => Promise<T>): Promise<T | undefined> =>
    one.within(work).catch((error: unknown) => {
      outcomes.set(one, { kind: 'failed', error })
      return undefined
    })
  const judged = await Promise.all(asking.map((one) => attempt(one, () => judge(app, calendarId, one))))
  const candidates = judged.filter((one) => one !== undefined)
  for (const { one, added, judgement, now } of candidates) {
    if (judgement.inTheWay.length > 0) outcomes.set(one, { kind: 'refused', row: added.row, judgement, now })
  }
  const chosen = chooseApart(candidates.filter(({ judgement }) => judgement.inTheWay.length === 0))
  await Promise.all(chosen.map(({ one, added }) => attempt(one, () => write(app, one, added, outcomes))))
}

type Candidate = { one: Asking; added: FreeEvent; judgement: Judgement; spans: Spans; now: Date }

/** Undefined: the calendar has changed hands, or came back, while it was read. */
async function judge(app: App, calendarId: Uuid, one: Asking): Promise<Candidate | undefined> {
  const { actor, body, terms, destinationId } = one
  const now = app.clock.now()
  const row = newEventRow(app, actor, calendarId, body, now)
  const judgement = await judgeEvent(app, row, {}, terms.free, now)
  if (!judgement || (actor.agentId && actor.agentId !== judgement.agentId)) {
    await requireLiveCalendar(app, actor, one.calendarId)
    return undefined
  }
  const event = presentEvent(app, row, now, { title: body.title, description: body.description ?? null })
  const sync = await externalSyncOf(app, destinationId, { row, event }, now)
  const added = { actor, row, event, destinationId, sync, seenRevision: judgement.revision }
  return { one, added, judgement, spans: spansOf(row, terms.free), now }
}

/** Those that were judged by the latest revision and are not in the way of an earlier one. */
function chooseApart(candidates: readonly Candidate[]): Candidate[] {
  const latest = Math.max(...candidates.map(({ judgement }) => judgement.revision))
  const chosen: Candidate[] = []
  for (const next of candidates) {
    const { revision, apartMs } = next.judgement
    if (revision === latest && !chosen.some(({ spans }) => wouldMeet(spans, next.spans, apartMs))) chosen.push(next)
  }
  return chosen
}

async function write(app: App, one: Asking, added: FreeEvent, outcomes: Map<Asking, Outcome>): Promise<void> {
  if (await insertFree(app, added)) {
    outcomes.set(one, { kind: 'written', written: { event: added.event, sync: added.sync } })
    return
  }
  const { destinationId } = await requireLiveCalendar(app, one.actor, one.calendarId)
  one.destinationId = destinationId
}
