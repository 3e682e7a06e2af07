import assert from 'node:assert/strict'
import { serviceTest } from '../src/testing/test.ts'
import { fillDemo } from './demoData.ts'
import { openDemoReceiver } from './demoReceiver.ts'
import { demoHold, demoWeek } from './demoWeek.ts'

const test = serviceTest()

test('the demo organization shows a product at work, made once however often it is begun', async ({
  service,
  organization,
  key,
  call,
}) => {
  const receiver = (await openDemoReceiver(0))!
  const demo = { org_id: organization.id, api_key: key, email: 'demo@example.com', password: 'unused' }
  const begun_at = service.clock.now().toISOString()
  const fill = () => fillDemo(service.baseUrl, demo, { begun_at, receiver_port: receiver.port, done: false })
  await fill()
  await fill()
  await service.drain()
  const list = async (path: string) => (await call('GET', path, { key })).body

  const agents = await list('/v1/agents')
  assert.deepEqual(agents.data.map(({ type }: { type: string }) => type).sort(), ['ai', 'human', 'resource'])
  const aria = agents.data.find(({ name }: { name: string }) => name === 'Aria')
  const calendars = await list(`/v1/agents/${aria.id}/calendars`)
  assert.equal(calendars.data.length, 1)
  const [calls] = calendars.data
  const events = (await list(`/v1/calendars/${calls.id}/events?limit=100`)).data
  assert.equal(events.length, demoWeek(new Date(begun_at)).calls.length + 1)
  assert.equal(events.filter(({ status }: { status: string }) => status === 'hold').length, 1)

  const webhooks = (await list('/v1/webhooks')).data
  const states = []
  for (const { id } of webhooks) {
    states.push((await list(`/v1/webhooks/${id}/deliveries`)).data.map(({ status }: { status: string }) => status))
  }
  const [failing, healthy] = states.sort((one, other) => one.length - other.length)
  assert.deepEqual(failing, ['pending'])
  assert.deepEqual(new Set(healthy), new Set(['delivered']))
  assert.equal((await list('/v1/booking-pages')).data.length, 1)
  const proposals = await list('/v1/scheduling/proposals')
  assert.deepEqual([proposals.total, proposals.data[0].status], [1, 'pending'])
  assert.equal((await list('/v1/approvals?status=pending')).total, 1)
  receiver.close()
})

test('a taken port is no receiver', async ({ onTestFinished }) => {
  const first = (await openDemoReceiver(0))!
  onTestFinished(first.close)
  assert.equal(await openDemoReceiver(first.port), undefined)
})

test('the week begins on the Monday of the day, on Sundays too, and a hold lies ahead', () => {
  for (const day of [23, 28, 29]) {
    const [standUp] = demoWeek(new Date(2026, 10, day, 12)).calls as { start_time: string }[]
    assert.equal(new Date(standUp!.start_time).getTime(), new Date(2026, 10, 23, 9).getTime())
  }
  const now = new Date(2026, 10, 28, 23, 30)
  const hold = demoHold(now) as { start_time: string; hold_expires_at: string }
  assert.equal(new Date(hold.start_time).getTime(), new Date(2026, 10, 29, 1).getTime())
  const leftMinutes = (Date.parse(hold.hold_expires_at) - now.getTime()) / 60_000
  assert.ok(leftMinutes > 10 && leftMinutes < 15)
})
