import assert from 'node:assert/strict'
import { test } from 'vitest'
import { html } from './html.ts'

test('text is escaped where it stands between tags and where it stands in an attribute', () => {
  const text = `<script>alert("1" & '2')</script>`
  const expected = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;'
  assert.equal(html`<p title="${text}">${text}</p>`.text, `<p title="${expected}">${expected}</p>`)
})

test('HTML inside HTML is kept as it is, alone and in lists', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  assert.equal(html`<ul>${items}</ul>`.text, '<ul><li>a</li><li>&lt;b&gt;</li></ul>')
})

test('texts of a list are escaped too', () => {
  assert.equal(html`${['<', ['&']]}`.text, '&lt;&amp;')
})

test('an entity that was sent stays the text it was', () => {
  assert.equal(html`${'&lt;'}`.text, '&amp;lt;')
})

test('null, undefined and false show nothing; zero and the empty text show themselves', () => {
  assert.equal(html`[${null}${undefined}${false}${0}${''}]`.text, '[0]')
})

test('what only looks like HTML is text', () => {
  const pretender = { text: '<b>' } as unknown as string
  assert.equal(html`${pretender}`.text, '[object Object]')
})
