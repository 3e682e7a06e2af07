import assert from 'node:assert/strict'
import { test } from 'vitest'
import { pages } from './pages.ts'
import { selected } from './selected.ts'

const chosen = 'job=~"$job", instance=~"$instance"'

test('a metric is narrowed to the chosen processes, with a filter or without', () => {
  assert.equal(selected('sum(calendar_ready)'), `sum(calendar_ready{${chosen}})`)
  assert.equal(selected('up{job="calendar-api"}'), `up{job="calendar-api", ${chosen}}`)
  assert.equal(
    selected('sum by (le) (rate(calendar_timer_lag_seconds_bucket[$__rate_interval]))'),
    `sum by (le) (rate(calendar_timer_lag_seconds_bucket{${chosen}}[$__rate_interval]))`,
  )
})

test('what is recorded and what is quoted stay as they are', () => {
  for (const expr of ['calendar:http_errors:ratio_rate1h', 'label_replace(vector(1), "a", "up", "", "")']) {
    assert.equal(selected(expr), expr)
  }
})

test('no query of a panel asks for a process that was not chosen', () => {
  const queries = pages.flatMap(({ rows }) => rows).flatMap(({ panels }) => panels.flatMap((panel) => panel.queries))
  const own = queries.filter(([expr]) => /\bcalendar_/.test(expr))
  assert.ok(own.length > 100)
  for (const [expr] of own) {
    const metrics = expr.match(/\bcalendar_[a-z0-9_]+/g)!
    assert.equal(selected(expr).split(chosen).length - 1, metrics.length + (expr.match(/\bup\b/g)?.length ?? 0), expr)
  }
})
