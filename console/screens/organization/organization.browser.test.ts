// The people of an organization: who is in it, how they sign in, what their role lets them see, and its keys.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { currentVersion, freshEmail, password } from '../../../src/testing/accounts.ts'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent, makeCalendar, makeEvent } from '../../../src/testing/factories.ts'
import { codeOf } from '../../../src/testing/factors.ts'
import { makeTeam } from '../../../src/testing/people.ts'
import { consoleTest, look } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))
const minuteMs = 60_000

const inBrowser = (member: { email: string; token: string }, orgId: string) => ({
  ...member,
  ...{ orgId, cookie: `svc_session=${member.token}` },
})

browserTest('an owner runs the organization, and is asked who they are', async ({ visit, service, call }) => {
  const team = await makeTeam(service)
  const owner = inBrowser(team.owner, team.orgId)
  const opened = await call('POST', '/v1/auth/organizations', {
    ...{ key: owner.token, body: { name: 'Second', tos_version: await currentVersion(service) } },
  })
  const { id: second } = opened.body.org
  await service.clock.advance(20 * minuteMs)
  await visit('/organization', owner, async (tab) => {
    const again = tab.getByRole('dialog', { name: 'Confirm it is you' })
    const account = tab.getByRole('region', { name: 'Account' })
    await tab.getByRole('table', { name: 'Members' }).getByText(team.viewer.email).waitFor()
    await look(tab, 'organization')
    await account.getByLabel('Organization name').fill('Analytical Engines')
    await account.getByRole('button', { name: 'Save name' }).click()
    await tab.getByRole('button', { name: 'Organization Analytical Engines' }).waitFor()

    // The refused request is sent again once the person has shown who they are.
    await tab.getByRole('button', { name: 'Invite member' }).click()
    const invite = tab.getByRole('dialog', { name: 'Invite member' })
    const invited = freshEmail('invited')
    await invite.getByLabel('Email').fill(invited)
    await invite.getByLabel('Role').selectOption('Viewer')
    await invite.getByRole('button', { name: 'Send invitation' }).click()
    await look(tab, 'confirm-it-is-you')
    await again.getByLabel('Password').fill('wrong')
    await again.getByRole('button', { name: 'Continue' }).click()
    await again.locator('[aria-invalid=true]').waitFor()
    await again.getByLabel('Password').fill(password)
    await tab.keyboard.press('Enter')
    const invitations = tab.getByRole('table', { name: 'Invitations' })
    await invitations.getByRole('row').filter({ hasText: invited }).getByText('Pending').waitFor()
    await tab.getByRole('button', { name: `Actions for ${invited}` }).click()
    await tab.getByRole('menuitem', { name: 'Revoke' }).click()
    await invitations.getByText('Revoked').waitFor()

    await tab.getByRole('button', { name: `Actions for ${team.viewer.email}` }).click()
    await tab.getByRole('menuitem', { name: 'Change role' }).click()
    await tab.getByRole('dialog', { name: 'Change role' }).getByLabel('Role').selectOption('Developer')
    await tab.getByRole('button', { name: 'Save', exact: true }).click()
    await tab.getByText('Member saved').waitFor()
    await tab.getByRole('button', { name: `Actions for ${team.developer.email}` }).click()
    await tab.getByRole('menuitem', { name: 'Remove' }).click()
    const remove = tab.getByRole('alertdialog', { name: 'Remove' })
    await remove.getByLabel('Revoke the keys they made').check()
    await remove.getByLabel(`Type ${team.developer.email} to confirm`).fill(team.developer.email)
    await remove.getByRole('button', { name: 'Remove' }).click()
    await tab.getByText('Member removed').waitFor()

    const signIn = tab.getByRole('region', { name: 'Sign-in' })
    await signIn.getByRole('button', { name: 'Turn on second factor' }).click()
    const turnOn = tab.getByRole('dialog', { name: 'Turn on second factor' })
    await turnOn.getByRole('img', { name: 'QR code' }).waitFor()
    await look(tab, 'second-factor')
    const secret = await turnOn.getByRole('textbox', { name: 'Secret' }).inputValue()
    await turnOn.getByRole('textbox', { name: 'Code' }).fill(codeOf(service, secret))
    await turnOn.getByRole('button', { name: 'Confirm' }).click()
    const saved = tab.getByRole('dialog', { name: 'Save this secret' })
    assert.match(await saved.getByRole('textbox', { name: 'Secret' }).inputValue(), /^(\w{5}-\w{5} ?){10}$/)
    await saved.getByRole('button', { name: 'Done' }).click()
    await signIn.getByRole('button', { name: 'Turn off second factor' }).waitFor()
    assert.equal(String(await tab.evaluate('document.documentElement.outerHTML')).includes(secret), false)
    assert.equal(String(await tab.evaluate('JSON.stringify([localStorage, sessionStorage])')).includes(secret), false)
    await tab.getByRole('switch', { name: 'Require a second factor' }).check()
    await tab.getByText('Organization saved').last().waitFor()

    // Now only a code counts.
    await service.clock.advance(20 * minuteMs)
    const download = tab.waitForEvent('download')
    await tab.getByRole('button', { name: 'Export data' }).click()
    await again.getByRole('textbox', { name: 'Code' }).fill(codeOf(service, secret))
    await again.getByRole('button', { name: 'Continue' }).click()
    const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    assert.equal(file.org.name, 'Analytical Engines')

    // Another organization, in this tab alone.
    await tab.getByRole('button', { name: 'Organization Analytical Engines' }).click()
    await tab.getByRole('menuitem', { name: 'Second' }).click()
    await tab.getByRole('button', { name: 'Organization Second' }).waitFor()
    await tab.getByRole('link', { name: 'Agents' }).click()
    await tab.getByText('No agents yet').waitFor()
    assert.equal(new URL(tab.url()).search, `?org=${second}`)
    await tab.goto(`${service.baseUrl}/console/organization?org=${second}`)
    await tab.getByRole('button', { name: 'Delete organization' }).click()
    const end = tab.getByRole('alertdialog', { name: 'Delete organization' })
    await end.getByLabel('Type Second to confirm').fill('Second')
    await end.getByRole('button', { name: 'Delete organization' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await tab.goto(`${service.baseUrl}/console/agents?org=${second}`)
    await tab.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  })
})

browserTest('a viewer sees everything that is theirs, and nothing to change', async ({ visit, service, call }) => {
  const team = await makeTeam(service)
  const viewer = inBrowser(team.viewer, team.orgId)
  const agent = await makeAgent(service, team.owner.token, { name: 'Planner' })
  const calendar = await makeCalendar(service, team.owner.token, agent.id, { name: 'Meetings' })
  const event = await makeEvent(service, team.owner.token, calendar.id, { title: 'Review' })
  await visit(`/agents/${agent.id}`, viewer, async (tab) => {
    await tab.getByRole('heading', { level: 1, name: 'Planner' }).waitFor()
    const buttons = async () => (await tab.locator('main').getByRole('button').allTextContents()).join()
    assert.equal(await buttons(), '')
    assert.equal(await tab.getByRole('link', { name: 'Logs' }).count(), 0)
    await tab.getByRole('button', { name: 'Account' }).click()
    assert.equal(await tab.getByRole('menuitem', { name: 'Send feedback' }).count(), 0)
    await tab.keyboard.press('Escape')
    await tab.getByRole('link', { name: 'Keys' }).click()
    await tab.getByText('No agent keys yet').waitFor()
    assert.equal(await buttons(), '')
    await tab.getByRole('link', { name: 'Organization' }).click()
    await tab.getByRole('table', { name: 'Members' }).getByText(team.owner.email).waitFor()
    await tab.getByRole('table', { name: 'Sessions' }).waitFor()
    assert.equal(await buttons(), 'Change password,Turn on second factor,Sign out other sessions,Leave organization')
    await tab.goto(`${service.baseUrl}/console/calendar?event=${event.id}&date=${event.startTime.slice(0, 10)}`)
    const panel = tab.getByRole('dialog', { name: 'Review' })
    await panel.getByRole('list', { name: 'History' }).getByText('Created by a member').waitFor()
    assert.deepEqual(await panel.getByRole('button').allTextContents(), ['Copy link', 'Close'])
    await tab.keyboard.press('Escape')
    const tile = tab.getByRole('button', { name: /^Review, confirmed/ })
    await tile.focus()
    for (const key of ['e', 'v', 'Delete', 'c']) await tab.keyboard.press(key)
    assert.equal(await tab.getByRole('dialog').count(), 0)
    await tile.waitFor()
    assert.equal(await tab.getByRole('button', { name: 'New event' }).count(), 0)
    await tab.goto(`${service.baseUrl}/console/booking-pages`)
    await tab.getByText('No booking pages yet').waitFor()
    assert.equal(await buttons(), '')
    // Reading is asking, too.
    await tab.goto(`${service.baseUrl}/console/find-a-time`)
    const agents = tab.getByRole('combobox', { name: 'Agents' })
    await agents.fill('Planner')
    await tab.getByRole('option', { name: 'Planner' }).click()
    await tab.getByRole('button', { name: 'Find times' }).click()
    await tab.getByRole('list', { name: 'Best times' }).getByRole('checkbox').first().waitFor()
    assert.equal(await tab.getByRole('button', { name: 'Make a proposal' }).count(), 0)
    await tab.goto(`${service.baseUrl}/console/logs`)
    await tab.getByRole('alert').getByRole('button', { name: 'Copy request ID' }).waitFor()
    await tab.goto(`${service.baseUrl}/console/organization`)
    await tab.getByRole('button', { name: 'Leave organization' }).click()
    const leave = tab.getByRole('alertdialog', { name: 'Leave organization' })
    const { name } = (await call('GET', '/v1/auth/session', { key: viewer.token })).body.org
    await leave.getByLabel(`Type ${name} to confirm`).fill(name)
    await leave.getByRole('button', { name: 'Leave organization' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })
})
