// The readers that wait in this process. None of them holds a connection to Postgres: one look serves all readers of an
// organization, and one statement the looks of many organizations. A look tells which readers something matches, and moves the
// others on to its own snapshot.
import { accessOf } from '../accounts/callerAccess.ts'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { overloaded, tooManyWaits } from '../errors.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Position } from './cursor.ts'
import type { Filter } from './filter.ts'
import { openLeases, type Waiter } from './leases.ts'
import { openListening } from './listening.ts'
import { openLook } from './look.ts'
import { maxWaitsEach, whatIsFull } from './rules.ts'
import { type Outcome, openAlarm, type Sleeper } from './sleeper.ts'

export type Wait = {
  /** Sleeps until something new matches, at most `ms`. The position is then the one to go on from. */
  sleep(position: Position, ms: number): Promise<{ outcome: Outcome; position: Position }>
  /** Why the reader is over, if it is: it may not go on, has hung up, or the process ends. */
  ended(): Promise<Outcome | undefined>
  end(): void
}

const everyMs = 2_000

const openWaitsOfApp = (app: App) => openWaits(app)
const waitsOf = (app: App) => app.memory(openWaitsOfApp)

/** Throws `rate_limit_error`, or 503 for this process, if too many wait already. `gone` tells when the reader hangs up. */
export const beginWait = (app: App, actor: Actor, filter: Filter, gone: AbortSignal): Promise<Wait> =>
  waitsOf(app).enter(actor, filter, gone)

/** Answers every reader, and lets none wait any more: the process ends. */
export const endWaits = (app: App): void => waitsOf(app).close()

function openWaits(app: App) {
  const sleepersOf = new Map<Uuid, Set<Sleeper>>()
  const leases = openLeases(app)
  const look = openLook(app, (orgId) => [...(sleepersOf.get(orgId) ?? [])].filter(({ asleep }) => asleep))
  const listening = openListening(app, {
    changed: look,
    callersChanged: (orgId) => check([...(sleepersOf.get(orgId) ?? [])]),
  })
  let ticking: NodeJS.Timeout | undefined
  let isClosing = false
  /** How many readers wait in this process. */
  let here = 0

  const all = () => [...sleepersOf.values()].flatMap((set) => [...set])

  function add(sleeper: Sleeper) {
    const own = sleepersOf.get(sleeper.orgId)
    if (own) own.add(sleeper)
    else {
      sleepersOf.set(sleeper.orgId, new Set([sleeper]))
      listening.start(sleeper.orgId)
    }
    here++
    app.metrics.feedWaits.inc()
    ticking ??= setInterval(tick, everyMs)
  }

  function remove(sleeper: Sleeper) {
    const own = sleepersOf.get(sleeper.orgId)
    if (!own?.delete(sleeper)) return
    leases.end(sleeper)
    here--
    app.metrics.feedWaits.dec()
    if (own.size > 0) return
    sleepersOf.delete(sleeper.orgId)
    listening.stop(sleeper.orgId)
    if (sleepersOf.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  /** Finds entries that no message announced, keeps the leases, and ends the waits of readers that lost their access. */
  function tick() {
    const now = app.clock.now()
    for (const { asleep, alarm } of all()) if (asleep && asleep.endsAt <= now) alarm.wake('over')
    for (const [orgId, own] of sleepersOf) {
      leases.renew(orgId, [...own])
      look(orgId)
    }
    check(all())
  }

  function check(sleepers: readonly Sleeper[]) {
    if (sleepers.length === 0) return
    const checking = wakeRefused(app, sleepers)
      .catch((error: Error) => app.log.debug({ error: error.message }, 'the keys of waiting readers were not checked'))
      .finally(() => {
        for (const sleeper of sleepers) if (sleeper.checking === checking) sleeper.checking = undefined
      })
    for (const sleeper of sleepers) sleeper.checking = checking
  }

  /** The waits of this process: enough for itself, and for the others while Redis is away. */
  function fullHere({ orgId, bucket }: Waiter, maxOfOrganization: number | null) {
    const own = [...(sleepersOf.get(orgId) ?? [])]
    const ofKey = own.filter((one) => one.bucket === bucket).length
    return whatIsFull({ here, ofKey, ofOrganization: own.length }, maxOfOrganization)
  }

  return {
    async enter(actor: Actor, filter: Filter, gone: AbortSignal): Promise<Wait> {
      const { orgId, keyId, sessionId, isConsoleRead } = actor
      const max = actor.limits.change_waits
      const waiter = { id: newId(), orgId, bucket: keyId ?? (isConsoleRead && sessionId) ?? orgId }
      // Asked again, as others may have begun in the meantime while Redis is away.
      const full = fullHere(waiter, max) ?? (await leases.take(waiter, max)) ?? fullHere(waiter, max)
      if (full) leases.end(waiter)
      if (full === 'key') throw tooManyWaits(maxWaitsEach, isConsoleRead ? 'one session' : 'one key')
      if (full === 'organization') throw tooManyWaits(max!, 'one organization')
      if (full === 'process') throw overloaded('Too many requests wait for changes. Send it again.')
      const alarm = openAlarm(gone)
      const sleeper: Sleeper = { ...waiter, filter, keyId, sessionId, asleep: undefined, alarm, checking: undefined }
      add(sleeper)
      const ended = async () => {
        await sleeper.checking
        return alarm.final()
      }
      return {
        async sleep(position, ms) {
          const asleep = { position, endsAt: new Date(app.clock.now().getTime() + ms) }
          sleeper.asleep = asleep
          if (isClosing) alarm.wake('closing')
          // Finds entries that were committed since the position was read, perhaps before other processes knew of this wait.
          look(orgId)
          const outcome = await alarm.within(ms)
          sleeper.asleep = undefined
          return { outcome: (await ended()) ?? outcome, position: asleep.position }
        },
        ended,
        end: () => remove(sleeper),
      }
    },
    close() {
      isClosing = true
      for (const { alarm } of all()) alarm.wake('closing')
    },
  }
}

async function wakeRefused(app: App, sleepers: readonly Sleeper[]): Promise<void> {
  const access = await accessOf(app, sleepers)
  for (const sleeper of sleepers) {
    const refused = access(sleeper)
    if (refused) sleeper.alarm.wake(refused)
  }
}
