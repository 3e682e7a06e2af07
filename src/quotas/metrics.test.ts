import assert from 'node:assert/strict'
import { makeCalendar, makeEvent, makeOrganization } from '../testing/factories.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { measureQuotas, showQuotas } from './metrics.ts'

const test = serviceTest()
  /** How many organizations reached each step of a budget. */
  .extend('reached', perFile, ({ service }) => async (budget: string): Promise<Record<string, number>> => {
    await measureQuotas(service.app)
    await showQuotas(service.app)
    const { values } = await service.app.metrics.quotaOrganizations.get()
    const own = values.filter(({ labels }) => labels.budget === budget)
    return Object.fromEntries(own.map(({ labels, value }) => [labels.at_least, value]))
  })
  .extend('calls', perFile, ({ service }) => async (key: string, times: number) => {
    for (let nth = 0; nth < times; nth++) await service.call('GET', '/v1/agents', { key })
    await service.gate.flush()
  })

test('organizations count at every share of a budget that they have reached', async ({ service, reached, calls }) => {
  const limits = { api_calls: 10 }
  const quiet = await makeOrganization(service, { plan: 'custom', limits })
  const busy = await makeOrganization(service, { plan: 'custom', limits })
  const full = await makeOrganization(service, { plan: 'custom', limits })
  await makeOrganization(service, { plan: 'custom' })
  await calls(quiet.key, 2)
  await calls(busy.key, 8)
  await calls(full.key, 11)
  assert.deepEqual(await reached('api_calls'), { 0: 3, 0.25: 2, 0.5: 2, 0.8: 2, 0.9: 1, 1: 1 })
})

test('what is counted from its own table counts too, and a period that is over no more', async ({
  service,
  reached,
}) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 2 } })
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id)
  assert.deepEqual(await reached('events'), { 0: 1, 0.25: 1, 0.5: 1, 0.8: 0, 0.9: 0, 1: 0 })
  await service.clock.advance(31 * 24 * 60 * 60 * 1000)
  assert.deepEqual(await reached('events'), { 0: 1, 0.25: 0, 0.5: 0, 0.8: 0, 0.9: 0, 1: 0 })
  assert.deepEqual(await reached('api_calls'), { 0: 3, 0.25: 0, 0.5: 0, 0.8: 0, 0.9: 0, 1: 0 })
})

test('organizations are counted by plan', async ({ service }) => {
  await makeOrganization(service, { plan: 'free' })
  await measureQuotas(service.app)
  await showQuotas(service.app)
  const { values } = await service.app.metrics.organizations.get()
  const counts = Object.fromEntries(values.map(({ labels, value }) => [labels.plan, value]))
  assert.deepEqual(counts, { free: 1, pro: 0, custom: 5, 'free-agent': 0, 'free-agent-unverified': 0 })
})
