// Our short ways against the long ones: node-ical for lines, the pattern for times.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import nodeIcal from 'node-ical'
import { test } from 'vitest'
import { type Component, readComponents } from './components.ts'
import { parseStamp } from './values.ts'

const parseLines = nodeIcal.parseLines as unknown as (
  lines: string[],
  batch: 0,
  current: Component,
  stack: [],
) => unknown

function byNodeIcal(lines: string[]): Component[] {
  const root: Component = { name: '', properties: new Map(), parts: [] }
  parseLines(lines, 0, root, [])
  return root.parts
}

const word = fc.string({ unit: fc.constantFrom(...'abXY09-_/+() ='), minLength: 1, maxLength: 12 })
const parameter = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('VALUE', 'TZID', 'X-A'), word) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('TZID', 'X-A'), word).map(([name, value]) => [name, `"${value}:;"`]),
  },
)
const value = fc.string({ unit: fc.constantFrom(...'abXY09;:,=\\"é日 '), maxLength: 40 })
const line = fc
  .tuple(fc.constantFrom('SUMMARY', 'DTSTART', 'EXDATE', 'DESCRIPTION'), fc.array(parameter, { maxLength: 3 }), value)
  .map(([name, parameters, text]) => `${name}${parameters.map(([key, of]) => `;${key}=${of}`).join('')}:${text}`)
  // node-ical takes the quotes out of a whole line that says TZID=, also out of its text.
  .filter((text) => !(text.includes('TZID=') && text.includes('"')))

test('a line is split as node-ical splits it', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const event = ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
      assert.deepEqual(readComponents(event), byNodeIcal(event))
    }),
    { numRuns: 2_000 },
  )
})

test('a usual time is read as the pattern reads it', () => {
  const digit = fc.constantFrom(...'0123456789')
  const part = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'))
  const sane = fc
    .tuple(fc.nat(10_000), part(13), part(32), part(24), part(60), part(60))
    .map(([year, month, day, ...time]) => `${String(year).padStart(4, '0')}${month}${day}T${time.join('')}`)
  const wild = fc.string({
    unit: fc.oneof(digit, fc.constantFrom('T', 'Z', '-', ':', ' ')),
    minLength: 15,
    maxLength: 16,
  })
  const spoiled = fc
    .tuple(sane, fc.nat(14), fc.constantFrom('T', '-', 'x', ' '))
    .map(([time, at, wrong]) => time.slice(0, at) + wrong + time.slice(at + 1))
  const mark = fc.constantFrom('', 'Z', 'z', '+')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(sane, mark).map(([time, zone]) => time + zone),
        spoiled,
        wild,
      ),
      (text) => {
        // With a space in front it takes the long way.
        assert.deepEqual(parseStamp(text), parseStamp(` ${text}`))
      },
    ),
    { numRuns: 5_000 },
  )
})
