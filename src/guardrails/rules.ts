// The refusals of guardrails for the times of an event. Pure.
import type { GuardrailName, Guardrails } from '../actors/guardrails.ts'
import { outsideHours } from '../availability/hours.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'

type Refusal = { guardrail: GuardrailName; message: string }

/** `spans`: the start and the end of each occurrence in turn, epoch ms, in order. */
export function refuseTimes(guardrails: Guardrails, spans: readonly number[], now: Date): Refusal | undefined {
  const { max_minutes, max_days_ahead, min_notice_minutes } = guardrails
  const [first, end] = spans
  if (first === undefined || end === undefined) return undefined
  if (!isWithinHours(guardrails, spans)) {
    return {
      guardrail: 'allowed_hours',
      message: 'This time is outside the hours that the guardrails of this key allow.',
    }
  }
  if (max_minutes !== undefined && end - first > max_minutes * minuteMs) {
    return { guardrail: 'max_minutes', message: `The guardrails of this key allow at most ${max_minutes} minutes.` }
  }
  const nowMs = now.getTime()
  if (max_days_ahead !== undefined && spans.at(-2)! - nowMs > max_days_ahead * dayMs) {
    const message = `The guardrails of this key allow no start more than ${max_days_ahead} days from now.`
    return { guardrail: 'max_days_ahead', message }
  }
  if (min_notice_minutes !== undefined && first - nowMs < min_notice_minutes * minuteMs) {
    const message = `The guardrails of this key allow no start less than ${min_notice_minutes} minutes from now.`
    return { guardrail: 'min_notice_minutes', message }
  }
  return undefined
}

function isWithinHours({ allowed_hours: hours, timezone = 'UTC' }: Guardrails, spans: readonly number[]): boolean {
  if (!hours) return true
  const outside = outsideHours(hours as Parameters<typeof outsideHours>[0], timezone, {
    fromMs: spans[0]!,
    toMs: Math.max(...spans),
  })
  // Both lists are in order.
  let at = 0
  for (let nth = 0; nth < spans.length; nth += 2) {
    while (at < outside.length && outside[at + 1]! <= spans[nth]!) at += 2
    if (at < outside.length && outside[at]! < spans[nth + 1]!) return false
  }
  return true
}
