// The page on which a person decides what an agent asks for, in a real browser.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { password } from '../../src/testing/accounts.ts'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { openBrowser, withoutBrowser } from '../../src/testing/browser.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { guestEnv, newAddress } from '../../src/testing/guests.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { makeTeam } from '../../src/testing/people.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type AxeResults = { violations: { id: string; nodes: { html: string }[] }[] }

/** Where pictures of the pages are put, to look at them. */
const pictures = process.env.PICTURES

const test = serviceTest({ env: guestEnv })
  .extend('team', perFile, ({ service }) => makeTeam(service))
  .extend('desk', perFile, ({ service, team }) => openApprovalDesk(service, team.owner.token))
  .extend('browser', perFile, async ({ service: _ }, { onCleanup }) => {
    const browser = await openBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  // Axe is a script; the pages have none, and refuse every other. The contexts end with the browser.
  .extend('open', ({ browser, service }) => async (token?: string): Promise<Page> => {
    const context = await browser.newContext({
      ...{ locale: 'en-GB', bypassCSP: true },
      extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    })
    if (token) await context.addCookies([{ name: 'svc_session', value: token, url: service.baseUrl }])
    const tab = await context.newPage()
    tab.setDefaultTimeout(45_000)
    return tab
  })
const browserTest = test.skipIf(Boolean(withoutBrowser))

const heading = (tab: Page, name: string) => tab.getByRole('heading', { level: 1, name }).waitFor()

/** On a large and a small screen, in light and dark. */
async function look(tab: Page, page: string) {
  for (const width of [1280, 360])
    for (const colorScheme of ['light', 'dark'] as const) {
      const name = `${page}, ${width} ${colorScheme}`
      await tab.setViewportSize({ width, height: 800 })
      await tab.emulateMedia({ colorScheme })
      const { violations } = (await tab.evaluate(`${axe}; axe.run()`)) as AxeResults
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      assert.deepEqual(found, [], name)
      assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} is too wide`)
      if (!pictures) continue
      mkdirSync(pictures, { recursive: true })
      await tab.screenshot({ path: join(pictures, `approval ${name}.png`), fullPage: true })
    }
}

const hostile = `<script>document.title = 'taken'</script> https://example.com/${'long'.repeat(40)}`

browserTest(
  'a person signs in, reads what changes, and decides by keys alone',
  async ({ service, desk, team, open }) => {
    const event = await makeEvent(service, team.owner.token, desk.calendar.id, { title: 'Planning' })
    const key = await desk.guarded()
    const change = { title: hostile, end_time: '2027-06-01T11:30:00Z', start_time: '2027-06-01T11:00:00Z' }
    const asked = await desk.ask(key, 'PATCH', `/v1/events/${event.id}`, change)
    const created = await desk.ask(key, 'POST', desk.path, desk.body('Lunch', 90))

    const tab = await open()
    await tab.goto(asked.url)
    await heading(tab, 'Sign in to decide')
    await look(tab, '1 sign in')
    await tab.locator('#email').fill(team.owner.email)
    await tab.locator('#password').fill(password)
    await tab.keyboard.press('Enter')
    await heading(tab, 'Change this event?')
    await tab.getByRole('cell', { name: hostile }).waitFor()
    assert.equal((await tab.title()).includes('taken'), false)
    assert.equal(await tab.locator('main a').count(), 0)
    await look(tab, '2 a change')
    await tab.getByLabel(/^Reason/).focus()
    await tab.keyboard.type('Not now')
    await tab.keyboard.press('Tab')
    assert.equal(await tab.evaluate('document.activeElement.textContent'), 'Approve')
    await tab.keyboard.press('Tab')
    await tab.keyboard.press('Enter')
    await heading(tab, 'Rejected')
    await look(tab, '3 rejected')
    await tab.goto(created.url)
    await heading(tab, 'Create this event?')
    await look(tab, '4 something new')
    await tab.getByRole('button', { name: 'Approve' }).press('Enter')
    await heading(tab, 'Approved')
    await tab.goto(asked.url)
    await tab.getByText('This was decided already.').waitFor()
    await tab.goto(`${asked.url}0`)
    await heading(tab, 'This link does not work')
    await look(tab, '5 unknown')
  },
)

browserTest(
  'a viewer reads and does not decide; who has the mailed address does',
  async ({ service, desk, team, open }) => {
    const asked = await desk.ask(await desk.guarded(), 'POST', desk.path, desk.body('Review', 150))
    const viewer = await open(team.viewer.token)
    await viewer.goto(asked.url)
    await viewer.getByText('Your role lets you read this.').waitFor()
    assert.equal(await viewer.getByRole('button').count(), 0)
    await look(viewer, '6 viewer')

    const linked = await desk.guarded({ on: 'all', approver: 'link' })
    await desk.ask(linked, 'POST', desk.path, desk.body('Mailed', 210))
    const [mail] = (await mailsTo(service, team.owner.email)).filter(({ text }) => text.includes('/approve/')).slice(-1)
    const tab = await open()
    await tab.goto(/http\S+\/approve\/\S+/.exec(mail!.text)![0])
    await heading(tab, 'Create this event?')
    await tab.getByRole('button', { name: 'Approve' }).press('Enter')
    await heading(tab, 'Approved')
    assert.equal((await desk.titles()).includes('Mailed'), true)
  },
)
