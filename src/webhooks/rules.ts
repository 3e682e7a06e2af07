// The effect of an attempt's outcome on its delivery and on its subscription.

type AttemptOutcome = { delivered: boolean }

type NextStep = { kind: 'delivered' } | { kind: 'failed' } | { kind: 'retry'; at: Date }

/** `attempts` counts the one just made; `scheduleSeconds` holds the wait after each failed one. */
export function nextStep(
  outcome: AttemptOutcome,
  attempts: number,
  scheduleSeconds: readonly number[],
  now: Date,
): NextStep {
  if (outcome.delivered) return { kind: 'delivered' }
  const wait = scheduleSeconds[attempts - 1]
  return wait === undefined ? { kind: 'failed' } : { kind: 'retry', at: new Date(now.getTime() + wait * 1000) }
}

/** How many failures in a row switch a subscription off. */
export const maxFailures = 50

/**
 * The failures in a row that are `known`, after a result for which the database says that so many are `recorded`. Only a success
 * ends them: an answer after a failure that says fewer than are known was overtaken by the answer to a later one.
 */
export const failuresAfter = (known: number, delivered: boolean, recorded: number): number =>
  delivered ? recorded : Math.max(known, recorded)

/** So many failures in a row, or a share of successes below this among so many attempts of the last hour, show a failing receiver. */
const failingInARow = 5
const failingBelow = 0.9
const failingAmong = 10

type LastHour = { attempts: number; delivered: number }

export function stateOf(
  { active, consecutiveFailures }: { active: boolean; consecutiveFailures: number },
  { attempts, delivered }: LastHour,
): 'healthy' | 'failing' | 'disabled' {
  if (!active) return 'disabled'
  const failsOften = attempts >= failingAmong && delivered < attempts * failingBelow
  return consecutiveFailures >= failingInARow || failsOften ? 'failing' : 'healthy'
}

/** Success is any 2xx; a redirect is a failure. */
export const isSuccess = (status: number): boolean => status >= 200 && status <= 299
