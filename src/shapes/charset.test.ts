import assert from 'node:assert/strict'
import { test } from 'vitest'
import { charsetOf } from './charset.ts'

for (const [header, charset] of [
  ['text/calendar; charset=iso-8859-2', 'iso-8859-2'],
  ['text/calendar;CHARSET="UTF-8"; method=PUBLISH', 'utf-8'],
  ["text/calendar; method=PUBLISH; charset='windows-1250'", 'windows-1250'],
  ['text/calendar; name="a; charset=x"; charset = utf-16 ', 'utf-16'],
  [['text/calendar; charset=koi8-r'], 'koi8-r'],
  ['text/calendar; charset=', undefined],
  ['text/calendar; charset=US-ASCII', undefined],
  ['text/calendar', undefined],
  [undefined, undefined],
] as [string | string[] | undefined, string | undefined][]) {
  test(`${header} names ${charset}`, () => assert.equal(charsetOf(header), charset))
}
