// The rule files and their alerts, for the tests, the reference and the dashboards.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export const ruleFiles = ['calendar.rules.yml', 'hosts.rules.yml'].map((name) => join(import.meta.dirname, name))
const texts = ruleFiles.map((file) => readFileSync(file, 'utf8'))
export const rules = texts.join('\n')
export const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map((match) => match[1]!)

type AlertRule = {
  alert: string
  labels: { severity: string }
  annotations: { impact: string; dashboard: string; runbook_url: string }
}

export const alertRules = texts.flatMap((text) => {
  const { groups } = parse(text) as { groups: { rules: (AlertRule | { record: string })[] }[] }
  return groups.flatMap((group) => group.rules.filter((rule): rule is AlertRule => 'alert' in rule))
})

/** The section of the runbook that an alert links to. */
export const sectionOf = ({ annotations }: AlertRule): string => annotations.runbook_url.split('#')[1]!
