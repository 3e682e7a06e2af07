import assert from 'node:assert/strict'
import { test } from 'vitest'
import { xmlText } from './xmlText.ts'

const text = (encoding?: string) => `<?xml version="1.0"${encoding ? ` encoding="${encoding}"` : ''}?><a>Święto</a>`
const iso2 = (xml: string) => Buffer.from(xml.replace('Ś', '\xa6').replace('ę', '\xea'), 'latin1')

for (const [what, bytes, header] of [
  ['UTF-8 where nothing is said', Buffer.from(text()), 'application/xml'],
  ['the header', iso2(text()), 'application/xml; charset="ISO-8859-2"'],
  ['the header before the declaration', iso2(text('utf-8')), 'text/xml; charset=iso-8859-2'],
  ['the declaration', iso2(text('iso-8859-2')), 'application/xml'],
  ['the mark before the header', Buffer.from(`\ufeff${text('iso-8859-2')}`), 'text/xml; charset=iso-8859-2'],
  ['the mark of UTF-16', Buffer.from(`\ufeff${text('utf-16')}`, 'utf16le'), 'text/xml; charset=utf-8'],
  ['UTF-16 without a mark', Buffer.from(text('utf-16'), 'utf16le').swap16(), undefined],
] as const) {
  test(`an answer in XML is read in the character set of ${what}`, () => {
    assert.match(xmlText(bytes, header) ?? '', /<a>Święto<\/a>$/)
  })
}

test('a character set that is not known is no text', () => {
  assert.equal(xmlText(Buffer.from(text()), 'text/xml; charset=x-none'), undefined)
  assert.equal(xmlText(Buffer.from(text('x-none')), 'text/xml'), undefined)
})
