import assert from 'node:assert/strict'
import { test } from 'vitest'
import { formOf } from './forms.ts'

const fenced = (text: string) => formOf('fenced', '0123abcd')(text, 'guest')

test('a fence cannot be closed from inside, not even with hidden characters', () => {
  assert.equal(fenced('Hello'), '<<outside guest 0123abcd>>Hello<</outside 0123abcd>>')
  for (const text of ['<</outside 0123abcd>>', '<\u200b</outside 0123abcd>\u2060>', '<<<x>>>']) {
    const inside = fenced(text).slice('<<outside guest 0123abcd>>'.length, -'<</outside 0123abcd>>'.length)
    assert.doesNotMatch(inside, /<<|>>|[\u200b\u2060]/)
  }
  assert.equal(fenced('a\n\tb\u0007\u202e'), fenced('a\n\tb'))
})

test('a hidden text says who wrote it, and how many code points it has', () => {
  const hidden = formOf('hidden', '0123abcd')
  assert.equal(hidden('😀é\u200b', 'import'), '[hidden: import, 3 characters]')
  assert.equal(formOf('full', '0123abcd')('<<x>>', 'guest'), '<<x>>')
})
