// Axe in a page: the rules that it breaks.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Options = { runOnly?: readonly string[]; rules?: Record<string, { enabled: boolean }> }

/** For a screen that was looked at in other colours already: nothing else can differ. */
export const ofColours: Options = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** `rule: element` of each element that breaks one. Only they leave the page: all that Axe has seen takes longer than its work. */
export async function violations(tab: Page, options: Options = {}): Promise<string[]> {
  // Playwright evaluates it past the policy of the page, which would refuse a script element.
  if (!(await tab.evaluate('"axe" in window'))) await tab.evaluate(axe)
  return tab.evaluate(`axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}

/** Where pictures of the pages are put, to look at them. */
const pictures = process.env.PICTURES

type Look = { width: number; colorScheme: 'light' | 'dark' }

/** The page as it stands breaks no rule in any of these looks, and does not scroll sideways. */
export async function assertReadable(tab: Page, page: string, looks: readonly Look[]): Promise<void> {
  for (const { width, colorScheme } of looks) {
    const name = `${page} ${width} ${colorScheme}`
    await tab.setViewportSize({ width, height: 800 })
    await tab.emulateMedia({ colorScheme })
    assert.deepEqual(await violations(tab), [], name)
    assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} is too wide`)
    if (!pictures) continue
    mkdirSync(pictures, { recursive: true })
    await tab.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }
}
