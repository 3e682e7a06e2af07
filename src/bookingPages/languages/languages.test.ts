import assert from 'node:assert/strict'
import { test } from 'vitest'
import { en } from './en.ts'
import { chooseLanguage, counted, filled, languageNames, languages } from './languages.ts'
import type { Plural } from './texts.ts'

const formsOf = (text: string | Plural): string[] => (typeof text === 'string' ? [text] : Object.values(text))
const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

for (const name of languageNames) {
  test(`${name} lacks no text, and each has the places of the English one`, () => {
    const texts: Record<string, string | Plural> = languages[name]
    assert.deepEqual(Object.keys(texts), Object.keys(en))
    for (const [key, text] of Object.entries(en as Record<string, string | Plural>)) {
      const given = texts[key]!
      assert.equal(typeof given, typeof text, key)
      for (const form of formsOf(given)) assert.ok(form.trim() !== '' && form === form.trim(), key)
      const other = (one: string | Plural) => (typeof one === 'string' ? one : one.other)
      assert.deepEqual(placesOf(other(given)), placesOf(other(text)), key)
    }
  })

  test(`${name} is not English`, () => {
    if (name === 'en') return
    const same = Object.entries(languages[name]).filter(([key, text]) => text === en[key as keyof typeof en])
    assert.deepEqual(
      same.map(([key]) => key).filter((key) => key !== 'name'),
      [],
    )
  })

  test(`${name} has the plural forms that its numbers need`, () => {
    const needed = new Set([1, 2, 3, 11, 100].map((count) => new Intl.PluralRules(name).select(count)))
    for (const count of [1, 2, 3, 11, 100, 183]) {
      for (const text of [languages[name].available, languages[name].noTimesInDays, languages[name].tooMany]) {
        assert.doesNotMatch(counted(text, count, name), /[{}]/)
      }
    }
    assert.ok(needed.has('other'))
  })
}

test('a reader gets the first language that we have, in the style of their region', () => {
  for (const [accept, language, locale] of [
    [undefined, 'en', 'en-GB'],
    ['', 'en', 'en-GB'],
    ['*', 'en', 'en-GB'],
    ['en-US,en;q=0.9', 'en', 'en-US'],
    ['de', 'de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'de-AT'],
    ['pt-BR,es-MX;q=0.8,en;q=0.9', 'en', 'en-GB'],
    ['tlh,fr-CA;q=0.5', 'fr', 'fr-CA'],
    ['ar-EG', 'ar', 'ar-EG'],
    ['de;q=0,fr', 'fr', 'fr'],
    ['zh-Hant-TW', 'en', 'en-GB'],
    ['DE-de', 'de', 'de-DE'],
    ['de-XX"><script>', 'en', 'en-GB'],
  ] as const) {
    assert.deepEqual(chooseLanguage(undefined, accept), { language, locale }, accept)
  }
  assert.deepEqual(chooseLanguage('ar', 'de-AT,en-US'), { language: 'ar', locale: 'ar' })
  assert.deepEqual(chooseLanguage('en', 'de-AT,en-US'), { language: 'en', locale: 'en-US' })
})

test('what is filled in is not filled in again', () => {
  assert.equal(filled('{a} and {b}', { a: '{b}', b: 'x' }), '{b} and x')
  assert.equal(filled('{missing}', {}), '{missing}')
  assert.equal(filled('{toString}', {}), '{toString}')
})
