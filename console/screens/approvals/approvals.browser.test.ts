// A manager who decides what agents ask for, and an operator who looks at what has happened since.
import assert from 'node:assert/strict'
import { openApprovalDesk } from '../../../src/testing/approvals.ts'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent } from '../../../src/testing/factories.ts'
import { adminToken } from '../../../src/testing/harness.ts'
import { consoleTest, look } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest('requests of agents are approved, rejected, and fail', async ({ visit, person, service, call }) => {
  const desk = await openApprovalDesk(service, person.token)
  const agentKey = await desk.guarded()
  const ask = (title: string, at: number) => desk.ask(agentKey, 'POST', desk.path, desk.body(title, at))
  const lunch = await ask('<b>Lunch</b> javascript:alert(1)', 60)
  await ask('Dinner', 120)
  await ask('Never', 180)
  const held = (await call('POST', desk.path, { key: person.token, body: desk.body('Held', 240) })).body
  const removal = await desk.ask(agentKey, 'DELETE', `/v1/events/${held.id}`)
  await call('DELETE', `/v1/events/${held.id}`, { key: person.token })

  await visit('/start', person, async (tab) => {
    const attention = tab.getByRole('region', { name: 'Needs attention' })
    await attention.getByRole('link', { name: lunch.summary }).waitFor()
    await tab.locator('h1').press('g')
    await tab.keyboard.press('p')
    const table = tab.getByRole('table', { name: 'Approvals' })
    const row = (title: string) => table.getByRole('row').filter({ hasText: title })
    await row('Dinner').waitFor()
    await look(tab, 'approvals')
    await row('Never')
      .getByRole('button', { name: /^Actions for Create “Never”/ })
      .click()
    await tab.getByRole('menuitem', { name: 'Reject' }).click()
    await row('Never').getByText('Rejected').waitFor()
    await tab.getByLabel('Status').selectOption('Pending')
    await row('Never').waitFor({ state: 'detached' })
    assert.match(tab.url(), /\/console\/approvals\?status=pending$/)

    await row('Lunch').getByRole('link', { name: lunch.summary }).click()
    await tab.getByRole('heading', { level: 1, name: lunch.summary }).waitFor()
    assert.equal(await tab.title(), `${lunch.summary} · agent-calendar`)
    const changes = tab.getByRole('table', { name: 'What changes' })
    await changes.getByText('<b>Lunch</b> javascript:alert(1)').waitFor()
    assert.equal(await changes.locator('a, b').count(), 0)
    await look(tab, 'approval')
    await tab.getByRole('textbox', { name: 'Reason' }).fill('Enjoy it')
    await tab.reload()
    await tab.getByText('Draft restored').waitFor()
    await tab.getByRole('button', { name: 'Approve', exact: true }).click()
    await tab.getByRole('status').filter({ hasText: 'Approved' }).waitFor()
    await tab.getByText('Enjoy it').waitFor()
    assert.deepEqual(await desk.titles(), ['<b>Lunch</b> javascript:alert(1)'])

    await tab.goto(`${service.baseUrl}/console/approvals/${removal.id}`)
    await tab.getByRole('button', { name: 'Approve', exact: true }).press('Enter')
    await tab.getByRole('status').filter({ hasText: 'Failed' }).waitFor()
    const { result } = await desk.read(removal.id, person.token)
    await tab.getByRole('alert').getByText(result.body.error.message).waitFor()
    await tab.getByRole('alert').getByRole('button', { name: 'Copy request ID' }).waitFor()

    // The logs: by request, by person, and the refusals.
    const refused = await call('DELETE', `/v1/webhooks/${lunch.id}`, { key: agentKey })
    assert.equal(refused.status, 403)
    await tab.goto(`${service.baseUrl}/console/logs?action=approval.decide`)
    const audit = tab.getByRole('table', { name: 'Audit log' })
    const decided = audit.getByRole('row').filter({ hasText: person.email })
    await decided.filter({ hasText: lunch.id }).waitFor()
    await tab.getByText(/^Kept for \d+ days$/).waitFor()
    await look(tab, 'logs')
    const requestId = await decided.first().locator('code').filter({ hasText: 'req_' }).textContent()
    await tab.keyboard.press('Control+k')
    await tab.getByRole('combobox', { name: 'Search or jump to' }).fill(requestId!)
    await tab.keyboard.press('Enter')
    await tab.waitForURL(new RegExp(`/console/logs\\?request_id=${requestId}$`))
    await audit.getByRole('row').nth(1).waitFor()
    await tab.getByRole('tab', { name: 'Refused requests' }).click()
    await tab.getByRole('textbox', { name: 'Request ID' }).fill('')
    const refusals = tab.getByRole('table', { name: 'Refused requests' })
    await refusals
      .getByRole('row')
      .filter({ hasText: `/v1/webhooks/${lunch.id}` })
      .waitFor()
    await look(tab, 'refused-requests')

    await tab.goto(`${service.baseUrl}/console/changes`)
    await tab.getByText('No changes yet').waitFor()
    await tab.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor()
    await call('POST', desk.path, { key: person.token, body: desk.body('Heard', 300) })
    const tail = tab.getByRole('table', { name: 'Changes' })
    await tail.getByText('event.created').waitFor()
    await tab.getByRole('button', { name: 'From the oldest' }).click()
    await tail.getByText('approval.requested').first().waitFor()
    await tab.getByRole('combobox', { name: 'Types' }).fill('agent.cre')
    await tab.keyboard.press('Enter')
    await tail.getByText('approval.requested').first().waitFor({ state: 'detached' })
    await tail.getByText('agent.created').first().waitFor()
    assert.equal(await tail.getByRole('row').count(), 2)
    await look(tab, 'changes')
    await tab.getByRole('button', { name: /^Show payload of chg_/ }).click()
    await tab
      .getByRole('dialog', { name: /^Show payload of chg_/ })
      .getByText('"Planner"')
      .waitFor()
  })
})

browserTest(
  'agents have their names where an organization has more of them than one page',
  async ({ visit, person, service, call }) => {
    const changes = { plan: 'custom', rate_limit_per_second: 100_000 }
    await call('PATCH', `/v1/admin/orgs/${person.orgId}`, { key: adminToken, body: changes })
    const desk = await openApprovalDesk(service, person.token)
    await desk.ask(await desk.guarded(), 'POST', desk.path, desk.body('Named', 400))
    await Promise.all(
      Array.from({ length: 101 }, (_, nth) => makeAgent(service, person.token, { name: `Other ${nth}` })),
    )
    await visit('/approvals', person, async (tab) => {
      const asked: string[] = []
      tab.on('request', (request) => request.url().includes('/v1/agents') && asked.push(request.url()))
      for (const [screen, label] of [
        ['approvals', 'Approvals'],
        ['keys', 'Agent keys'],
      ] as const) {
        await tab.goto(`${service.baseUrl}/console/${screen}`)
        const table = tab.getByRole('table', { name: label })
        await table.getByRole('link', { name: 'Planner', exact: true }).first().waitFor()
        assert.equal(await table.getByText('agt_').count(), 0)
      }
      assert.equal(asked.length, 2)
      for (const url of asked) assert.match(url, /[?&]ids=agt_/)
    })
  },
)
