import { alertRules, sectionOf } from '../../ops/prometheus/rules.ts'
import { code, page, table } from './markdown.ts'

export const alertsPage = (): string =>
  page(
    'Alerts',
    '`ops/prometheus/*.rules.yml`',
    '`page`: somebody should look now. `ticket`: somebody should look today.',
    table(
      ['Alert', 'Urgency', 'What customers notice', 'Dashboard', 'What to do'],
      alertRules.map((rule) => [
        code(rule.alert),
        rule.labels.severity,
        rule.annotations.impact,
        code(rule.annotations.dashboard),
        `[runbook](../runbook.md#${sectionOf(rule)})`,
      ]),
    ),
  )
