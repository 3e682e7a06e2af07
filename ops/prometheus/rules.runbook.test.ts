// Every alert has a section of the runbook and a fault in the drill.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { dashboardOf } from '../../grafana/source/build.ts'
import { pages } from '../../grafana/source/pages.ts'
import { causes } from '../../trials/drill/causes.ts'
import { shortenedRules } from '../../trials/drill/shortened.ts'
import { alertRules, alerts, rules, sectionOf } from './rules.ts'

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8')

test('the drill causes every alert, and the runbook says how', () => {
  const caused = new Set(causes.flatMap((cause) => cause.alerts.map((alert) => alert.split(' ')[0])))
  assert.deepEqual(
    alerts.filter((alert) => !caused.has(alert)),
    [],
  )
  const untold = runbook
    .split(/^## /m)
    .filter((section) => /^Alerts?:/m.test(section) && !section.includes('Tried by:'))
  assert.deepEqual(untold, [])
})

test('the drill shortens every wait of the rules', () => {
  const waits = shortenedRules().flatMap((text) => [...text.matchAll(/for: \w+|\[\w+\]/g)].map(([wait]) => wait))
  assert.deepEqual(
    waits.filter((wait) => !/\b\d+s\b/.test(wait)),
    [],
  )
})

/** The anchor that viewers of Markdown give a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-')

const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => [anchorOf(section.slice(0, section.indexOf('\n'))), section]),
)

test('a section names the dashboards of its alerts, which link back to it', () => {
  for (const rule of alertRules) {
    const page = pages.find(({ uid }) => uid === rule.annotations.dashboard)!
    const [line] = /^Dashboards?: .*$/m.exec(sections.get(sectionOf(rule))!) ?? []
    assert.ok(line?.includes(`\`${page.title}\``), `${rule.alert}: ${line}`)
    const urls = dashboardOf(page).links?.map(({ url }) => url)
    assert.ok(urls?.includes(`$\{runbook}#${sectionOf(rule)}`), rule.alert)
  }
})

test('every alert links to a section of the runbook that names it', () => {
  const links = [
    ...rules.matchAll(
      /- alert: (\w+)\n(?:(?!- alert:).*\n)*?.*runbook_url: "\{\{ \$externalLabels\.runbook \}\}#(.+)"$/gm,
    ),
  ]
  assert.deepEqual(
    links.map((match) => match[1]),
    alerts,
  )
  for (const [, alert, anchor] of links) {
    assert.ok(sections.get(anchor!)?.includes(`\`${alert}\``), `${alert} is not explained at #${anchor}`)
  }
  const explained = [...runbook.matchAll(/^Alerts?: (.*)/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`([A-Z][a-z]\w+)`/g)].map((match) => match[1]!),
  )
  assert.deepEqual(
    explained.filter((alert) => !alerts.includes(alert)),
    [],
  )
})

test('every alert says how urgent it is, what customers notice, and which dashboard shows it', () => {
  const boards = readdirSync(join(import.meta.dirname, '../../grafana/dashboards')).map((file) =>
    file.replace('.json', ''),
  )
  for (const rule of rules.split('- alert: ').slice(1)) {
    assert.match(rule, /severity: (page|ticket) \}/)
    assert.match(rule, /impact: "[A-Z].{8,}\."/)
    assert.ok(boards.includes(/dashboard: (\S+)/.exec(rule)?.[1] ?? ''), rule)
  }
})
