import { basename } from 'node:path'
import { parse } from 'yaml'
import { ruleFiles } from '../../ops/prometheus/rules.ts'
import { read } from '../documents/markdown.ts'
import { code, page, table } from './markdown.ts'

type Rule = {
  alert?: string
  labels: { severity: string }
  annotations: { impact: string; dashboard: string; runbook_url: string }
}

const rulesOf = (name: string): Rule[] => {
  const file = parse(read(`ops/prometheus/${name}`)) as { groups: { rules: Rule[] }[] }
  return file.groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined)
}

/** The heading of the runbook that an alert links to. */
const anchorOf = ({ annotations }: Rule) => annotations.runbook_url.split('#')[1]!

export const alertsPage = (): string =>
  page(
    'Alerts',
    '`ops/prometheus/*.rules.yml`',
    '`page`: somebody should look now. `ticket`: somebody should look today.',
    table(
      ['Alert', 'Urgency', 'What customers notice', 'Dashboard', 'What to do'],
      ruleFiles
        .flatMap((file) => rulesOf(basename(file)))
        .map((rule) => [
          code(rule.alert!),
          rule.labels.severity,
          rule.annotations.impact,
          code(rule.annotations.dashboard),
          `[runbook](../runbook.md#${anchorOf(rule)})`,
        ]),
    ),
  )
