// Keys: the organization's own, and those of agents with guardrails. A secret is shown once.
import assert from 'node:assert/strict'
import { withoutBrowser } from '../../../src/testing/browser.ts'
import { makeAgent, makeCalendar } from '../../../src/testing/factories.ts'
import { assertAccessible, consoleTest, picture } from '../../testing/consoleBrowser.ts'

const test = consoleTest()
const browserTest = test.skipIf(Boolean(withoutBrowser))

browserTest('keys are made, replaced, guarded and revoked', async ({ visit, person, call, service }) => {
  const agent = await makeAgent(service, person.token, { name: 'Planner' })
  await makeCalendar(service, person.token, agent.id, { name: 'Meetings' })
  const works = async (key: string) => (await call('GET', '/v1/agents', { key })).status === 200
  await visit('/keys', person, async (tab) => {
    const secret = tab.getByRole('dialog', { name: 'Save this secret' })
    const takeSecret = async () => {
      const text = await secret.getByRole('textbox', { name: 'Secret' }).inputValue()
      await secret.getByRole('button', { name: 'Done' }).click()
      assert.equal(String(await tab.evaluate('document.documentElement.outerHTML')).includes(text), false)
      return text
    }
    await tab.getByText('No agent keys yet').waitFor()
    await assertAccessible(tab)
    const own = tab.getByRole('region', { name: 'Organization key' })
    await own.getByRole('button', { name: 'Create key' }).click()
    const first = await takeSecret()
    assert.equal(await works(first), true)

    await own.getByRole('button', { name: 'Replace key' }).click()
    const replace = tab.getByRole('dialog', { name: 'Replace key' })
    const overlap = replace.getByLabel('Keep the old key for')
    await overlap.selectOption('1 hour')
    await replace.getByRole('button', { name: 'Replace', exact: true }).click()
    const next = await takeSecret()
    assert.deepEqual([await works(first), await works(next)], [true, true])
    await own.getByRole('button', { name: 'End overlap' }).click()
    await tab.getByText('Overlap ended').waitFor()
    assert.deepEqual([await works(first), await works(next)], [false, true])

    await own.getByRole('button', { name: 'Replace key' }).click()
    await overlap.selectOption('No overlap')
    assert.equal(await replace.getByRole('button', { name: 'Replace', exact: true }).isDisabled(), true)
    await replace.getByRole('textbox', { name: `Type ${next.slice(0, 20)} to confirm` }).fill(next.slice(0, 20))
    await assertAccessible(tab)
    await replace.getByRole('button', { name: 'Replace', exact: true }).click()
    await takeSecret()
    assert.equal(await works(next), false)

    await tab.getByRole('button', { name: 'New agent key' }).click()
    const create = tab.getByRole('dialog', { name: 'New agent key' })
    await create.getByRole('combobox', { name: 'Agent' }).fill('Pla')
    await create.getByRole('option', { name: 'Planner' }).click()
    await create.getByLabel('Label').fill('Laptop')
    await create.getByLabel('Read only').check()
    await create.getByLabel('Days ahead').fill('30')
    await create.getByRole('combobox', { name: 'Calendars' }).fill('Meet')
    await tab.keyboard.press('Enter')
    await create.getByRole('button', { name: 'Remove Meetings' }).waitFor()
    await assertAccessible(tab)
    await picture(tab, 'new-agent-key')
    await create.getByRole('button', { name: 'Create key' }).click()
    const agentKey = await takeSecret()
    const listed = async () => (await call('GET', '/v1/keys', { key: person.token })).body.keys
    const [{ guardrails }] = await listed()
    assert.deepEqual([guardrails.read_only, guardrails.max_days_ahead, guardrails.calendar_ids.length], [true, 30, 1])
    const prefix = agentKey.slice(0, 20)
    await tab.getByRole('button', { name: `Actions for ${prefix}` }).click()
    await tab.getByRole('menuitem', { name: 'Edit guardrails' }).click()
    const edit = tab.getByRole('dialog', { name: 'Edit guardrails' })
    await edit.getByLabel('Days ahead').fill('')
    await edit.getByLabel('Read only').uncheck()
    await edit.getByRole('button', { name: 'Save' }).click()
    await tab.getByText('Key saved').waitFor()
    assert.deepEqual(Object.keys((await listed())[0].guardrails), ['calendar_ids'])
    await assertAccessible(tab)
    await picture(tab, 'keys')

    await tab.getByRole('button', { name: `Actions for ${prefix}` }).click()
    await tab.getByRole('menuitem', { name: 'Revoke' }).click()
    const revoke = tab.getByRole('alertdialog', { name: 'Revoke' })
    await revoke.getByRole('textbox', { name: `Type ${prefix} to confirm` }).fill(prefix)
    await revoke.getByRole('button', { name: 'Revoke' }).click()
    await tab.getByText('No agent keys yet').waitFor()
    assert.equal(await works(agentKey), false)
  })
})
