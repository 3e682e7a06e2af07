// Reading the calendars of an account one by one. The trouble of one calendar is its own, as long as the account answers for others.
import type { CalendarRead, Closed, Failed, ReadTask, Refused } from './provider.ts'

/** A server that leaves this many calendars without an answer is not asked for more: each costs the time of a request. */
const maxUnanswered = 2
const ofServer = new Set<Failed['category']>(['unreachable', 'provider_error'])

export async function readEach(
  tasks: readonly ReadTask[],
  atOnce: number,
  each: (nth: number, result: CalendarRead | Failed) => Promise<void>,
  readOne: (task: ReadTask) => Promise<CalendarRead | Failed | Refused | Closed>,
): Promise<{ kind: 'done' } | Failed | Refused | Closed> {
  const left = tasks.entries()
  const troubled: { nth: number; trouble: Failed }[] = []
  let ending: Failed | Refused | Closed | undefined
  let isAnswering = false
  const work = async () => {
    for (const [nth, task] of left) {
      if (ending) return
      const outcome = await readOne(task)
      if (outcome.kind === 'failed' && ofServer.has(outcome.category)) {
        troubled.push({ nth, trouble: outcome })
        const unanswered = troubled.filter(({ trouble }) => trouble.category === 'unreachable').length
        if (unanswered >= maxUnanswered) ending ??= outcome
      } else if (outcome.kind === 'read' || (outcome.kind === 'failed' && outcome.category !== 'rate_limited')) {
        isAnswering = true
        await each(nth, outcome)
      } else ending ??= outcome
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (!isAnswering) ending ??= troubled[0]?.trouble
  if (ending) return ending
  for (const { nth, trouble } of troubled) await each(nth, trouble)
  return { kind: 'done' }
}
