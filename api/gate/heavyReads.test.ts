import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { heavyRead } from '../../src/quotas/heavyReads.ts'
import { loopMsOf, spendLoopTime } from '../../src/quotas/loopShare.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeAccount } from '../../src/testing/accounts.ts'
import { ahead, makeAgent, makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

/** How many may run or wait in line at once. */
const room = 2 + 60

/** Runs `work` while as many large reads of the organization run and wait as may. */
async function crowded(service: TestService, orgId: string, work: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const works = Array.from({ length: room }, () =>
    heavyRead(service.app, decodeId('org', orgId)!, 'list', () => promise),
  )
  // On a slow machine one that waits too long is refused.
  const all = Promise.allSettled(works)
  try {
    await work()
  } finally {
    resolve()
    await all
  }
}

async function makeScene(service: TestService) {
  const { id, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const window = `start=${ahead(service, 0)}&end=${ahead(service, 600)}`
  const list = `/v1/calendars/${calendar.id}/events`
  const heavy = [
    `${list}?expand=true&start_after=${ahead(service, 0)}&start_before=${ahead(service, 600)}`,
    `${list}?start_after=${ahead(service, 0)}`,
    `${list}?offset=1001`,
    `/v1/agents/${agent.id}/events?start_before=${ahead(service, 0)}`,
    `/v1/agents?offset=1001`,
    `/v1/calendars/${calendar.id}/context`,
    `/v1/calendars/${calendar.id}/availability?${window}`,
    `/v1/agents/${agent.id}/availability?${window}`,
    `/v1/availability?agents=${agent.id}&${window}`,
  ]
  const light = [
    list,
    `${list}?offset=1000`,
    `${list}?start_after=${ahead(service, 0)}&start_before=${ahead(service, 600)}`,
    `/v1/calendars/${calendar.id}`,
    '/v1/agents',
  ]
  return { id, key, agent, calendar, heavy, light }
}

const test = serviceTest().extend(
  'read',
  perFile,
  ({ call }) =>
    (path: string, key: string) =>
      call('GET', path, { key }),
)

test('with too many large reads at once an organization is refused further ones; small ones and other organizations are answered', async ({
  service,
  read,
}) => {
  const { id, key, heavy, light } = await makeScene(service)
  const other = await makeScene(service)
  await crowded(service, id, async () => {
    for (const path of heavy) {
      const refused = await read(path, key)
      assertRefused(refused, 429, 'rate_limit_error', {})
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/, path)
    }
    for (const path of light) assert.equal((await read(path, key)).status, 200, path)
    for (const path of [...other.heavy, ...other.light]) assert.equal((await read(path, other.key)).status, 200, path)
  })
  for (const path of heavy) assert.equal((await read(path, key)).status, 200, path)
})

test('a refused large read consumes no budget; it is in the audit log and in the metrics', async ({
  service,
  read,
}) => {
  const { id, key, heavy } = await makeScene(service)
  const used = async () => {
    const { body } = await read('/v1/usage', key)
    return { calls: body.api_calls.used, questions: body.availability_queries.used }
  }
  const before = await used()
  await crowded(service, id, async () => {
    for (const path of heavy) {
      const { status, headers } = await read(path, key)
      assert.equal(status, 429)
      const left = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
      assert.equal(Number(left), 1_000_000 - before.calls)
    }
  })
  assert.deepEqual(await used(), { calls: before.calls + 1, questions: before.questions })
  await service.gate.flush()
  const { body } = await read('/v1/audit-log?action=rate_limit.exceeded', key)
  assert.equal(body.data.length, heavy.length)
  const refusals = await service.app.metrics.heavyReadRefusals.get()
  const countOf = (kind: string) => refusals.values.find(({ labels }) => labels.kind === kind)!.value
  assert.ok(countOf('list') >= 5 && countOf('context') >= 1 && countOf('availability') >= 3)
})

test('fifty large reads at once are all answered', async ({ service, read }) => {
  const { key, heavy } = await makeScene(service)
  for (const path of heavy) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(path, key)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], path)
  }
})

test('a feed that is not cached and the slots of a booking page are large reads of their organization', async ({
  service,
}) => {
  const { id, key, calendar } = await makeScene(service)
  const body = { calendar_id: calendar.id, title: 'Call', timezone: 'UTC' }
  const { body: page } = await service.call('POST', '/v1/booking-pages', { key, body })
  const pathOf = (url: string) => new URL(url).pathname
  const feed = pathOf(calendar.ical_url)
  assert.equal((await service.call('GET', feed)).status, 200)
  await crowded(service, id, async () => {
    assert.equal((await service.call('GET', feed)).status, 200)
    await makeEvent(service, key, calendar.id)
    for (const path of [feed, `${pathOf(page.booking_url)}/slots`]) {
      const refused = await service.call('GET', path)
      assertRefused(refused, 429, 'rate_limit_error', {})
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    const html = await fetch(page.booking_url, { headers: { accept: 'text/html' } })
    assert.equal(html.status, 429)
  })
  for (const path of [feed, `${pathOf(page.booking_url)}/slots`]) {
    assert.equal((await service.call('GET', path)).status, 200)
  }
})

/** Asks, and reads no further than the first bytes of the answer. */
async function openSlowReader({ baseUrl }: TestService, path: string, key: string): Promise<Socket> {
  const { host, hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  return socket
}

test('a large answer keeps its place until it is written or its reader is gone, and no reader keeps one for ever', async ({
  service,
  read,
  onTestFinished,
}) => {
  const { key, calendar } = await makeScene(service)
  const body = { description: 'x'.repeat(5_000), metadata: { text: 'x'.repeat(15_000) } }
  await Promise.all(Array.from({ length: 200 }, () => makeEvent(service, key, calendar.id, body)))
  const path = `/v1/calendars/${calendar.id}/events?limit=200&start_after=${ahead(service, 0)}`
  const slow = async () => {
    const socket = await openSlowReader(service, path, key)
    onTestFinished(() => void socket.destroy())
    return socket
  }
  const [first] = await Promise.all([slow(), slow()])
  let isAnswered = false
  const third = read(path, key).finally(() => {
    isAnswered = true
  })
  for (let nth = 0; nth < 20; nth++) assert.equal((await read('/v1/agents', key)).status, 200)
  assert.equal(isAnswered, false)
  first!.destroy()
  assert.equal((await third).status, 200)
  await slow()
  assert.equal((await read(path, key)).status, 200)
})

test('an organization beyond its share of the loop waits for its next large answer, also for one that is remembered', async ({
  service,
  read,
}) => {
  const { id, key, calendar } = await makeScene(service)
  const path = `/v1/calendars/${calendar.id}/availability?start=${ahead(service, 0)}&end=${ahead(service, 600)}`
  // The second answer is remembered.
  for (let nth = 0; nth < 3; nth++) assert.equal((await read(path, key)).status, 200)
  const orgId = decodeId('org', id)!
  const restsMs = 1_500
  const over = (restsMs * 250) / 1_000
  spendLoopTime(service.app, orgId, (250 + over) / 2)
  const begunAt = performance.now()
  assert.equal((await read(path, key)).status, 200)
  assert.ok(performance.now() - begunAt > restsMs - 100)
})

test('a poll that finds nothing takes no place, also beyond the share', async ({ service, read }) => {
  const { id, key } = await makeScene(service)
  const { cursor } = (await read('/v1/changes', key)).body
  spendLoopTime(service.app, decodeId('org', id)!, 1_000)
  await crowded(service, id, async () => {
    const { status, body } = await read(`/v1/changes?cursor=${cursor}`, key)
    assert.deepEqual([status, body.data], [200, []])
  })
})

test('feeds and large pages are charged to their organization', async ({ service }) => {
  const { id, key, calendar } = await makeScene(service)
  const orgId = decodeId('org', id)!
  const body = { description: 'x'.repeat(5_000) }
  await Promise.all(Array.from({ length: 100 }, () => makeEvent(service, key, calendar.id, body)))
  const used = () => loopMsOf(service.app, orgId)
  const before = used()
  assert.equal((await service.call('GET', new URL(calendar.ical_url).pathname)).status, 200)
  assert.ok(used() > before)
})

test('an export waits in line and is not refused', async ({ service }) => {
  const { orgId, token } = await makeAccount(service)
  let exported: ReturnType<typeof service.call> | undefined
  await crowded(service, orgId, async () => {
    exported = service.call('GET', '/v1/auth/export', { key: token })
  })
  const { status, body } = await exported!
  assert.equal(status, 200)
  assert.equal(body.org.id, orgId)
})
