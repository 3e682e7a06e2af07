// The alerts, run by promtool on series of the test: each alert fires in its own case, and none fires when all is well.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { openMetrics } from '../../src/observability/metrics.ts'
import { type Case, cases } from './cases.ts'
import { healthy } from './healthy.ts'
import { alerts, ruleFiles, rules } from './rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' })
// On the build machine no test is skipped. promtool is in the package prometheus.
const promTest = test.skipIf(!process.env.CI && promtool('--version').error !== undefined)

const testOf = ({ change, minutes, fires }: Case) => ({
  interval: '1m',
  input_series: Object.entries({ ...healthy, ...change }).map(([series, values]) => ({
    series,
    values: values(minutes),
  })),
  promql_expr_test: [
    {
      expr: 'max by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${minutes}m`,
      exp_samples: fires.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
})

/** Empty where promtool agrees with them. */
function complaintOf(tried: readonly Case[]): string {
  const file = join(folder, 'cases.json')
  writeFileSync(file, JSON.stringify({ rule_files: ruleFiles, evaluation_interval: '1m', tests: tried.map(testOf) }))
  const { status, stdout, stderr } = promtool('test', 'rules', file)
  return status === 0 ? '' : stdout + stderr
}

// All at once, which takes a fraction of the time. Only where that fails, one by one.
let ofAll: string | undefined

for (const one of cases) {
  promTest(`when ${one.name}: ${one.fires.join(' and ') || 'silence'}`, () => {
    ofAll ??= complaintOf(cases)
    if (ofAll !== '') assert.equal(complaintOf([one]), '')
  })
}

test('every alert fires in one of the cases', () => {
  const fired = new Set(cases.flatMap(({ fires }) => fires))
  assert.deepEqual(
    alerts.filter((alert) => !fired.has(alert)),
    [],
  )
})

promTest('every rule file is valid', () => {
  const { status, stdout, stderr } = promtool('check', 'rules', ...ruleFiles)
  assert.equal(status, 0, stdout + stderr)
  assert.equal(promtool('check', 'config', join(import.meta.dirname, 'prometheus.yml')).status, 0)
})

test('the rules ask only for metrics that exist', () => {
  const names = openMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
  const asked = [...rules.matchAll(/\bcalendar_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
  assert.deepEqual(
    [...new Set(asked)].filter((name) => !names.includes(name)),
    [],
  )
})
