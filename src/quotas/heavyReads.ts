// Reads whose cost grows with the data of an organization rather than with the size of the answer, and answers that are large. In
// each process an organization has a few places for them and a short queue; beyond that it gets 429. This keeps connections
// and processor time free for others. An answer keeps its place until it is written.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { App } from '../app.ts'
import { tooManyHeavyReads } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openPlaces } from './heavyReadQueue.ts'
import { restMsOf } from './loopShare.ts'

export const heavyReadKinds = ['list', 'changes', 'context', 'availability', 'booking_slots', 'feed'] as const
export type HeavyReadKind = (typeof heavyReadKinds)[number]

const limits = {
  /** Each has at most two statements in progress: together less than half of a process's connections. */
  maxWorking: 4,
  maxWorkingEach: 2,
  maxWaiting: 60,
  /** As long as a statement may take. */
  patienceMs: 5_000,
}

const retryAfterSeconds = 2

const openPlacesOfApp = (app: App) => openPlaces({ ...limits, restMsOf: (orgId) => restMsOf(app, orgId) })
const placesOf = (app: App) => app.memory(openPlacesOfApp)

/** The answer that a read is for. `orgId`: whose data it reads, also where the caller is a guest. */
export type Answering = { orgId: Uuid | undefined; leaving: (() => void)[]; isOver: boolean }

const answers = new AsyncLocalStorage<Answering>()

/** Runs the work of one answer: the places that its reads take stay taken until `leavePlaces`. */
export const inAnswer = <T>(answer: Answering, work: () => T): T => answers.run(answer, work)

export function leavePlaces(answer: Answering): void {
  answer.isOver = true
  for (const leave of answer.leaving.splice(0)) leave()
}

async function read<T>(app: App, orgId: Uuid, work: () => Promise<T>, refusal: () => Error): Promise<T> {
  const answer = answers.getStore()
  // One answer needs one place, whatever it reads: two answers that wait for a second one would wait for each other.
  if (answer?.leaving.length && answer.orgId === orgId) return work()
  const leave = await placesOf(app).take(orgId, refusal)
  if (answer && !answer.isOver) {
    answer.orgId = orgId
    answer.leaving.push(leave)
    return work()
  }
  return work().finally(leave)
}

/** Throws `rate_limit_error` before it reads anything if the organization has too many of them in progress. */
export const heavyRead = <T>(app: App, orgId: Uuid, kind: HeavyReadKind, work: () => Promise<T>): Promise<T> =>
  read(app, orgId, work, () => {
    app.metrics.heavyReadRefusals.inc({ kind })
    return tooManyHeavyReads(retryAfterSeconds)
  })

/**
 * As `heavyRead`, for what a change has to know: it leaves its place as soon as it has read. Its answer is small, and may have to wait
 * for long.
 */
export const heavyReadOfChange: typeof heavyRead = (...asked) => answers.exit(() => heavyRead(...asked))

/** A further piece of an answer that has begun, or that its caller has waited for. It waits for its place and is never refused. */
export const nextPiece = <T>(app: App, orgId: Uuid, work: () => Promise<T>): Promise<T> =>
  placesOf(app).continueWork(orgId, work)
