// People of organizations: invitations.
import type { MetricFactory } from './metricFactory.ts'

export function memberMetrics({ counter }: MetricFactory) {
  const invitations = counter(
    'calendar_invitations_total',
    'Invitations to organizations, by outcome: created, resent, revoked, accepted, wrong_account (another account followed the link), dead_link (it does not work, or never did).',
    ['outcome'],
  )
  for (const outcome of ['created', 'resent', 'revoked', 'accepted', 'wrong_account', 'dead_link']) {
    invitations.inc({ outcome }, 0)
  }
  return { invitations }
}
