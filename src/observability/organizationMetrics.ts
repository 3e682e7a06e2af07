// How many organizations there are, and how much of their budgets they use.
import type { MetricFactory } from './metricFactory.ts'

export const organizationMetrics = ({ gauge }: MetricFactory) => ({
  organizations: gauge(
    'calendar_organizations',
    'Organizations, by plan. Measured by upkeep; the same on every worker.',
    ['plan'],
  ),
  approvals: gauge(
    'calendar_approvals',
    'Requests of agent keys that a person decides, by status: all that are pending, and those that ended within a day, each counted up to 10,000. The same on every worker.',
    ['status'],
  ),
  quotaOrganizations: gauge(
    'calendar_quota_organizations',
    'Organizations that have used at least this share of a monthly budget. Measured by upkeep; the same on every worker.',
    ['budget', 'at_least'],
  ),
})
