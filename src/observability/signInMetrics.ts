// Sign-ins of people, and what they show of themselves.
import type { MetricFactory } from './metricFactory.ts'

const secondFactorOutcomes = ['challenged', 'passed', 'recovery_code', 'wrong', 'ended', 'limited'] as const

export function signInMetrics({ counter }: MetricFactory) {
  const secondFactor = counter(
    'calendar_second_factor_total',
    'Second factors, by outcome: sign-ins that wait for a code, codes and recovery codes accepted, wrong codes, codes for a sign-in that has ended, and requests refused because too many were wrong.',
    ['outcome'],
  )
  for (const outcome of secondFactorOutcomes) secondFactor.inc({ outcome }, 0)
  return { secondFactor }
}
