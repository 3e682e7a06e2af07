import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { openMetrics } from '../../src/observability/metrics.ts'
import { dashboardFiles, dashboardOf } from './build.ts'
import { pages } from './pages.ts'

const grafana = join(import.meta.dirname, '..')

test('the committed dashboards are what the code builds: npm run dashboards', () => {
  const built = dashboardFiles()
  const committed = globSync(join(grafana, 'dashboards/*.json'))
  assert.deepEqual(committed.sort(), built.map(({ file }) => file).sort())
  for (const { file, text } of built) assert.equal(readFileSync(file, 'utf8'), text, file)
})

test('panels have ids of their own and a place of their own', () => {
  for (const page of pages) {
    const { panels = [] } = dashboardOf(page)
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const places = panels.map(({ gridPos }) => `${gridPos?.x} ${gridPos?.y}`)
    assert.equal(new Set(places).size, panels.length, page.uid)
    for (const { gridPos } of panels) assert.ok(gridPos!.x + gridPos!.w <= 24)
  }
})

test('the dashboards ask only for metrics that exist, and show every one of ours', () => {
  const names = openMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
  const asked = new Set(
    pages
      .flatMap(({ rows }) => rows)
      .flatMap(({ panels }) => panels)
      .flatMap(({ queries }) => queries.flatMap(([expr]) => [...expr.matchAll(/\bcalendar_[a-z0-9_]+/g)].map(String)))
      .map((name) => name.replace(/_(bucket|count|sum)$/, '')),
  )
  const isDefault = (name: string) => /^calendar_(process|nodejs)_/.test(name)
  assert.deepEqual(
    [...asked].filter((name) => !names.includes(name)),
    [],
  )
  // How big a disk is says nothing by itself.
  const unseen = names.filter((name) => !isDefault(name) && !asked.has(name))
  assert.deepEqual(unseen, ['calendar_data_dir_size_bytes'])
})

test('no two panels of a dashboard have one title', () => {
  for (const { rows, uid } of pages) {
    const titles = rows.flatMap((row) => row.panels.map(({ title }) => title))
    assert.equal(new Set(titles).size, titles.length, uid)
  }
})

test('every panel says what it shows, and ends with what is normal', () => {
  const panels = pages.flatMap(({ rows }) => rows).flatMap((row) => row.panels)
  const ending = /^.{5,}\. Normal: (?:(?!\. ).)+\.$/
  assert.deepEqual(
    panels.filter(({ description }) => !ending.test(description)).map(({ title, description }) => [title, description]),
    [],
  )
})
