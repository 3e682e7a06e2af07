// The rule files and the names of their alerts, for the tests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ruleFiles = ['calendar.rules.yml', 'hosts.rules.yml'].map((name) => join(import.meta.dirname, name))
export const rules = ruleFiles.map((file) => readFileSync(file, 'utf8')).join('\n')
export const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map((match) => match[1]!)
