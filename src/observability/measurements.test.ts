import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openMeasurements } from './measurements.ts'

test('a source is read at most once per interval, however many scrapes there are', async () => {
  const measurements = openMeasurements(() => undefined)
  let often = 0
  let rarely = 0
  measurements.add('often', 0, async () => void often++)
  measurements.add('rarely', 60_000, async () => void rarely++)
  await measurements.refresh()
  await measurements.refresh()
  await measurements.refresh()
  assert.deepEqual([often, rarely], [3, 1])
})

test('concurrent scrapes share one reading', async () => {
  const measurements = openMeasurements(() => undefined)
  const answer = Promise.withResolvers<void>()
  let readings = 0
  measurements.add('slow', 0, () => {
    readings++
    return answer.promise
  })
  const scrapes = [measurements.refresh(), measurements.refresh()]
  answer.resolve()
  await Promise.all(scrapes)
  assert.equal(readings, 1)
})

test('a source that fails is counted and does not stop the others', async () => {
  const counted: [string, number][] = []
  const measurements = openMeasurements((source, failures) => counted.push([source, failures]))
  let read = 0
  measurements.add('broken', 0, async () => {
    throw new Error('away')
  })
  measurements.add('whole', 0, async () => void read++)
  await measurements.refresh()
  assert.equal(read, 1)
  assert.deepEqual(counted, [
    ['broken', 0],
    ['whole', 0],
    ['broken', 1],
  ])
})

test('a store that does not answer does not delay a scrape for long', async () => {
  const measurements = openMeasurements(() => undefined)
  measurements.add('hanging', 0, () => new Promise(() => undefined))
  const startedAt = performance.now()
  await measurements.refresh()
  assert.ok(performance.now() - startedAt < 5_000)
})
