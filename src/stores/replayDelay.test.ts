import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openReplayDelay } from './replayDelay.ts'

test('a standby is behind for as long as it has not replayed what was written', () => {
  const delay = openReplayDelay()
  const at = (seconds: number, writtenTo: number, replayedTo: number | null) =>
    delay({ at: seconds * 1_000, writtenTo }, replayedTo)
  assert.equal(at(0, 100, 100), 0)
  assert.equal(at(5, 200, 190), 0)
  assert.equal(at(10, 300, 295), 0)
  // Its replay stands still; nothing more is written after a while.
  assert.equal(at(15, 400, 295), 5)
  assert.equal(at(20, 400, 295), 10)
  assert.equal(at(60, 400, 295), 50)
  // The standby replays the log of second 10, not yet that of second 15.
  assert.equal(at(65, 500, 350), 50)
  assert.equal(at(70, 500, 400), 5)
  assert.equal(at(75, 500, 500), 0)
  assert.equal(at(80, 900, 500), 0)
  // A promoted standby had come less far; another one follows it.
  assert.equal(at(85, 700, 600), 0)
  assert.equal(at(90, 700, null), 0)
})

test('a replay that stands still for days is remembered by few moments, the first among them', () => {
  const delay = openReplayDelay()
  for (let second = 0; second < 20_000; second++)
    assert.equal(delay({ at: second * 1_000, writtenTo: 100 + second }, 0), second)
})
