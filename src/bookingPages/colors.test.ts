import assert from 'node:assert/strict'
import { test } from 'vitest'
import { contrastOf, themeOf } from './colors.ts'

const grounds = { light: ['#f3f4f8', '#ffffff'], dark: ['#0e1116', '#171b23'] }

test('whatever colour an owner chooses, every text on the page can be read', () => {
  const parts = ['00', '33', '66', '99', 'cc', 'ff']
  for (const red of parts) {
    for (const green of parts) {
      for (const blue of parts) {
        const color = `#${red}${green}${blue}`
        for (const mode of ['light', 'dark'] as const) {
          const theme = themeOf(color, mode)
          const pairs = [
            ...grounds[mode].map((ground) => [theme.accent, ground]),
            ...grounds[mode].map((ground) => [theme['accent-strong'], ground]),
            [theme.accent, theme.tint],
            [theme['accent-strong'], theme.tint],
            [theme['accent-strong'], theme['tint-strong']],
            [theme['on-accent'], theme.accent],
            [theme['on-accent'], theme['accent-strong']],
          ]
          for (const [text, under] of pairs) {
            assert.ok(contrastOf(text!, under!) >= 4.5, `${color} ${mode}: ${text} on ${under}`)
          }
        }
      }
    }
  }
})

test('a colour that can be read stays as it is', () => {
  assert.equal(themeOf('#1a4d8f', 'light').accent, '#1a4d8f')
  assert.equal(themeOf('#1a4d8f', 'light')['on-accent'], '#ffffff')
  assert.equal(themeOf('#ffd54a', 'dark').accent, '#ffd54a')
  assert.equal(themeOf('#ffd54a', 'dark')['on-accent'], '#000000')
})

test('contrast is that of WCAG', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
})
