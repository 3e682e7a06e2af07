import assert from 'node:assert/strict'
import { test } from 'vitest'
import { carried, drawn, isSame, movedBy, resized, type Stretch } from './drag.ts'

const date = '2026-12-01'
const at = (minute: number, day = date) => ({ date: day, minute })
const ten: Stretch = { start: at(600), end: at(630) }

test('a drag on empty ground is its quarters of an hour, upwards too, and a click half an hour', () => {
  assert.deepEqual(drawn(at(607), at(664)), { start: at(600), end: at(660) })
  assert.deepEqual(drawn(at(664), at(607)), { start: at(600), end: at(660) })
  assert.deepEqual(drawn(at(607), undefined), { start: at(600), end: at(630) })
  assert.deepEqual(drawn(at(607), at(608)), { start: at(600), end: at(615) })
  assert.deepEqual(drawn(at(1_435), undefined), { start: at(1_410), end: at(0, '2026-12-02') })
  assert.deepEqual(drawn(at(1_400), at(1_500)), { start: at(1_395), end: at(0, '2026-12-02') })
})

test('an event is carried in steps, over midnight and to other days', () => {
  assert.deepEqual(carried(ten, at(610), at(641, '2026-12-03')), {
    start: at(630, '2026-12-03'),
    end: at(660, '2026-12-03'),
  })
  assert.deepEqual(carried(ten, at(610), at(-5)).start, at(1_425, '2026-11-30'))
  assert.equal(isSame(carried(ten, at(610), at(615)), ten), true)
})

test('the end is pulled, and stays after the start', () => {
  assert.deepEqual(resized(ten, at(712)), { start: at(600), end: at(705) })
  assert.deepEqual(resized(ten, at(300)), { start: at(600), end: at(615) })
  assert.deepEqual(resized(ten, at(1_450)), { start: at(600), end: at(0, '2026-12-02') })
})

test('keys move by a quarter of an hour or a day, and Shift moves the end', () => {
  assert.deepEqual(movedBy(ten, 'ArrowUp', false), { start: at(585), end: at(615) })
  assert.deepEqual(movedBy(ten, 'ArrowRight', false)?.start, at(600, '2026-12-02'))
  assert.deepEqual(movedBy(ten, 'ArrowDown', true), { start: at(600), end: at(645) })
  assert.deepEqual(movedBy({ start: at(600), end: at(615) }, 'ArrowUp', true)?.end, at(615))
  const day: Stretch = { start: at(0), end: at(0, '2026-12-02') }
  assert.deepEqual(movedBy(day, 'ArrowDown', true, true)?.end, at(0, '2026-12-03'))
  assert.deepEqual(movedBy(day, 'ArrowUp', true, true), day)
  assert.deepEqual(movedBy(day, 'ArrowUp', false, true)?.start, at(0, '2026-11-30'))
  assert.deepEqual([movedBy(ten, 'x', false), movedBy(ten, 'ArrowLeft', true)], [undefined, undefined])
})
