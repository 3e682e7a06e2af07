// A reader between two answers, and its alarm.
import type { Refused } from '../accounts/callerAccess.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Position } from './cursor.ts'
import type { Filter } from './filter.ts'
import type { Waiter } from './leases.ts'

/**
 * `woken`: something may match. `over`: the time is up. `hung up`: the reader is gone. `closing`: the process ends. Otherwise why the
 * reader may not go on.
 */
export type Outcome = 'woken' | 'over' | 'hung up' | 'closing' | Refused

export type Sleeper = Waiter & {
  filter: Filter
  keyId: Uuid | undefined
  sessionId: Uuid | undefined
  /** While it sleeps: how far it has read, and until when it sleeps by the clock of the service. */
  asleep: { position: Position; endsAt: Date } | undefined
  alarm: Alarm
  /** Under way: whether it may go on. It reads nothing until that is known. */
  checking: Promise<void> | undefined
}

type Alarm = {
  wake(outcome: Outcome): void
  within(ms: number): Promise<Outcome>
  /** Why the reader is over, if it is. */
  final(): Outcome | undefined
}

/** `gone`: the reader hangs up. That, a refusal and the end of the process are never forgotten. */
export function openAlarm(gone: AbortSignal): Alarm {
  let final: Outcome | undefined
  let settle: ((outcome: Outcome) => void) | undefined
  const wake = (outcome: Outcome) => {
    if (outcome !== 'woken' && outcome !== 'over') final ??= outcome
    settle?.(final ?? outcome)
  }
  if (gone.aborted) wake('hung up')
  gone.addEventListener('abort', () => wake('hung up'), { once: true })
  return {
    wake,
    final: () => final,
    within(ms) {
      if (final) return Promise.resolve(final)
      return new Promise((resolve) => {
        const timer = setTimeout(wake, ms, 'over')
        settle = (outcome) => {
          settle = undefined
          clearTimeout(timer)
          resolve(outcome)
        }
      })
    },
  }
}
