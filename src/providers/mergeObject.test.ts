import assert from 'node:assert/strict'
import { test } from 'vitest'
import { furtherOf, mergeObject } from './mergeObject.ts'

const object = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', 'SUMMARY:A', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
const linesOf = (text: string) =>
  text.split('\r\n').filter((line) => /^(LOCATION|CLASS|TRANSP|ATTACH|CONFERENCE)/.test(line))

test('what we wrote beyond the usual is written anew or taken away, and what the human added stays', () => {
  const first = object('TRANSP:TRANSPARENT', 'LOCATION:Hall', 'ATTACH;FMTTYPE=text/plain:https://a.example/1')
  const before = furtherOf(first)
  const theirs = object(
    ...['TRANSP:TRANSPARENT', 'LOCATION:Hall', 'ATTACH:https://a.example/1', 'ATTACH:https://human.example'],
    'CLASS:PRIVATE',
  )
  const moved = object('TRANSP:TRANSPARENT', 'LOCATION:Lobby', 'ATTACH;FMTTYPE=text/plain:https://a.example/2')
  assert.deepEqual(linesOf(mergeObject(theirs, moved, before)), [
    ...['TRANSP:TRANSPARENT', 'LOCATION:Lobby', 'ATTACH;FMTTYPE=text/plain:https://a.example/2'],
    ...['ATTACH:https://human.example', 'CLASS:PRIVATE'],
  ])
  const plain = object('TRANSP:OPAQUE')
  assert.deepEqual(linesOf(mergeObject(theirs, plain, before)), [
    ...['TRANSP:OPAQUE', 'ATTACH:https://human.example', 'CLASS:PRIVATE'],
  ])
  assert.deepEqual(linesOf(mergeObject(object('TRANSP:TRANSPARENT', 'LOCATION:Mine'), plain)), [
    ...['TRANSP:TRANSPARENT', 'LOCATION:Mine'],
  ])
  assert.deepEqual(furtherOf(plain), [])
})
