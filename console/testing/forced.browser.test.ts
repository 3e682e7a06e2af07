// Forced colours: the system takes the colours of the page away. On every screen focus, selection, states and wrong fields are told
// apart by lines and words.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { withoutBrowser } from '../../src/testing/browser.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { consoleTest, picture } from './consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

const forced = { forcedColors: 'active' } as const

/** Says in words which things look alike without colours. */
const blind = `(() => {
  const found = []
  const name = (one) => one.outerHTML.slice(0, 100)
  const shown = (one) => one.getClientRects().length > 0
  const outlined = (one) => getComputedStyle(one).outlineStyle !== 'none' && parseFloat(getComputedStyle(one).outlineWidth) >= 2
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown)
  for (const one of all('.state')) if (!one.textContent.trim()) found.push('a state without a word: ' + name(one))
  const [current, others] = [all('nav a[aria-current]'), all('nav a:not([aria-current])')]
  if (!current.every(outlined) || others.some(outlined)) found.push('the current screen')
  for (const tab of all('[role=tab][aria-selected=true]')) {
    const edge = (one) => getComputedStyle(one).borderBlockEndWidth
    for (const other of tab.parentElement.querySelectorAll('[aria-selected=false]'))
      if (edge(tab) === edge(other)) found.push('a selected tab: ' + name(tab))
  }
  const was = document.activeElement
  for (const one of all('a[href], button, input, select, textarea, summary, [tabindex="0"]').slice(0, 60)) {
    if (one.disabled) continue
    one.focus({ focusVisible: true, preventScroll: true })
    if (document.activeElement === one && !outlined(one)) found.push('focus: ' + name(one))
  }
  was?.focus?.()
  return found
})()`

const assertTold = async (tab: Page) => assert.deepEqual(await tab.evaluate(blind), [], tab.url())

/** Styles of the first element that the selector finds. */
const stylesOf = (tab: Page, selector: string, ...names: string[]): Promise<string[]> =>
  tab.evaluate(`(() => {
    const styles = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    return ${JSON.stringify(names)}.map((name) => styles[name])
  })()`)

const edgesOf = async (tab: Page, selector: string): Promise<string> =>
  (
    await stylesOf(
      tab,
      selector,
      'borderTopStyle',
      'borderTopWidth',
      'borderInlineStartStyle',
      'borderInlineStartWidth',
    )
  ).join(' ')

browserTest(
  'every screen tells focus, selection and states apart without colours',
  async ({ visit, person, service, call }) => {
    const desk = await openApprovalDesk(service, person.token)
    await desk.ask(await desk.guarded(), 'POST', desk.path, desk.body('Asked', 60))
    const paused = await makeAgent(service, person.token, { name: 'Paused' })
    await call('PATCH', `/v1/agents/${paused.id}`, { key: person.token, body: { status: 'paused' } })
    await visit(
      '/start',
      person,
      async (tab) => {
        const links = tab.getByRole('navigation', { name: 'Main' }).getByRole('link')
        await links.first().waitFor()
        const count = await links.count()
        assert.equal(count, 16)
        await tab.keyboard.press('Tab')
        for (let nth = 0; nth < count; nth++) {
          const link = links.nth(nth)
          const name = (await link.textContent())!
          await link.click()
          await tab.locator('nav a[aria-current]', { hasText: name }).waitFor()
          await tab.locator('main:not([aria-busy=true]) h1').waitFor()
          await assertTold(tab)
          await picture(tab, `forced-${name.replaceAll(' ', '-')}`)
        }
        await tab.goto(`${service.baseUrl}/console/agents`)
        await tab.getByText('Paused', { exact: true }).last().waitFor()
        await tab.getByRole('button', { name: 'New agent' }).first().click()
        const dialog = tab.getByRole('dialog', { name: 'New agent' })
        const field = '[data-param=name]'
        await dialog.locator(field).waitFor()
        const before = await edgesOf(tab, `dialog ${field}`)
        await dialog.getByRole('button', { name: 'Create agent' }).click()
        await dialog.locator('[aria-invalid=true]').waitFor()
        assert.notEqual(await edgesOf(tab, `dialog ${field}`), before)
        await assertTold(tab)
        await picture(tab, 'forced-New-agent')
        await tab.goto(`${service.baseUrl}/console/find-a-time`)
        await tab.getByRole('combobox', { name: 'Agents', exact: true }).fill('P')
        await tab.getByRole('option', { name: 'Paused' }).waitFor()
        await tab.keyboard.press('ArrowDown')
        const option = tab.locator('.options > [aria-selected=true]')
        await option.waitFor()
        assert.deepEqual(await stylesOf(tab, '.options > [aria-selected=true]', 'outlineStyle'), ['solid'])
      },
      forced,
    )
  },
)
