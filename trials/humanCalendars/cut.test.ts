import assert from 'node:assert/strict'
import { test } from 'vitest'
import { cutFiles, cutText } from './cut.ts'
import { groups } from './goals.ts'
import { costs } from './without.ts'

const cut = { file: 'some.ts', from: 'b', to: 'd', instead: '-' }

test('what lies between two texts is taken out with them, and a text alone', () => {
  assert.equal(cutText('abcde', cut), 'a-e')
  assert.equal(cutText('abcde', { file: 'some.ts', from: 'b', instead: '' }), 'acde')
})

test('what is not there, or is there twice, is not taken out', () => {
  for (const text of ['acde', 'abce', 'abcdb']) assert.throws(() => cutText(text, cut), /some\.ts has changed/)
})

for (const { nth, rules } of groups.flatMap(({ goals }) => goals)) {
  for (const { what, cuts } of rules) {
    test(`goal ${nth} has a rule that can be taken out: ${what}`, () => {
      assert.ok(cutFiles(cuts).size > 0)
    })
  }
}

test('what those without connections pay for can be taken out', () => {
  assert.ok(cutFiles(costs).size > 0)
})
