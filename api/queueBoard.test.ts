import assert from 'node:assert/strict'
import { makeOrganization } from '../src/testing/factories.ts'
import { adminToken } from '../src/testing/harness.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { wakeSecond } from '../src/timers/ring.ts'

const test = serviceTest().extend(
  'get',
  perFile,
  ({ service }) =>
    (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${service.baseUrl}${path}`, { method, headers }),
)

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const bearer = { authorization: `Bearer ${adminToken}` }

test('the queues are shown to the administrator only, whatever path below is asked for', async ({ service, get }) => {
  const { key } = await makeOrganization(service)
  const wrong: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${key}` },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${adminToken}x` },
    { authorization: adminToken },
    basic('admin', key),
    basic(adminToken, ''),
    { authorization: 'Basic !!!' },
  ]
  for (const path of [
    '/admin/queues',
    '/admin/queues/',
    '/admin/queues/api/queues',
    '/admin/queues/static/nothing.js',
  ]) {
    for (const headers of wrong) {
      const answer = await get(path, headers)
      const { error } = (await answer.json()) as { error: { type: string; request_id: string } }
      assert.deepEqual([answer.status, error.type], [401, 'authentication_error'], `${path} ${JSON.stringify(headers)}`)
      assert.match(answer.headers.get('www-authenticate')!, /^Basic realm=/)
      assert.equal(error.request_id, answer.headers.get('x-request-id'))
    }
  }
})

test('the page and what it loads come from the service itself', async ({ service, get }) => {
  for (const headers of [bearer, basic('anybody', adminToken), basic('', adminToken)]) {
    const page = await get('/admin/queues', headers)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type')!, /^text\/html/)
    assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'; script-src 'self';/)
  }
  const html = await (await get('/admin/queues/', bearer)).text()
  assert.match(html, /agent-calendar queues/)
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map((match) => match[1]!)
  assert.ok(scripts.length > 0)
  for (const src of scripts) {
    const script = await get(new URL(src, `${service.baseUrl}/admin/queues/`).pathname, bearer)
    assert.match(script.headers.get('content-type')!, /javascript/)
    await script.body?.cancel()
  }
})

test('it shows the wake-ups that wait', async ({ service, get }) => {
  const { app } = service
  assert.ok(await app.bell.ringNow([wakeSecond(Math.floor(app.clock.now().getTime() / 1000) + 600)]))
  const answer = await get('/admin/queues/api/queues?activeQueue=timers&status=delayed', bearer)
  const { queues } = (await answer.json()) as {
    queues: { name: string; counts: Record<string, number>; jobs: { name: string; data: unknown }[] }[]
  }
  assert.deepEqual(
    queues.map(({ name }) => name),
    ['timers', 'deliveries', 'ical', 'connections', 'publishing', 'mail', 'upkeep'],
  )
  assert.equal(queues[0]!.counts.delayed, 1)
  assert.equal(queues[0]!.jobs[0]!.name, 'fire')
})

test('a queue is paused from its own page, not from another site', async ({ service, get }) => {
  const { app } = service
  const pause = (site: string) =>
    get('/admin/queues/api/queues/mail/pause', { ...bearer, 'sec-fetch-site': site }, 'PUT')
  for (const site of ['cross-site', 'same-site']) assert.equal((await pause(site)).status, 403)
  assert.equal(await app.bell.queues.get('mail')!.isPaused(), false)
  assert.equal((await pause('same-origin')).status, 200)
  assert.equal(await app.bell.queues.get('mail')!.isPaused(), true)
})

test('a browser that tells no more than an Origin is believed that', async ({ service }) => {
  const { app } = service
  const mail = app.bell.queues.get('mail')!
  const send = (method: string, path: string, origin: string) =>
    fetch(`${service.baseUrl}/admin/queues/api/queues/${path}`, {
      method,
      headers: { ...bearer, origin, 'content-type': 'text/plain' },
      body: 'x',
    })
  await mail.resume()
  for (const origin of ['https://evil.example', 'null', `${service.baseUrl}.evil.example`]) {
    for (const [method, path] of [
      ['POST', 'mail/add'],
      ['PUT', 'mail/pause'],
      ['DELETE', 'mail/1'],
    ] as const) {
      const refused = await send(method, path, origin)
      assert.deepEqual([refused.status, refused.headers.get('x-powered-by')], [403, null], `${method} ${origin}`)
    }
  }
  assert.deepEqual([await mail.isPaused(), await mail.getJobCountByTypes('waiting', 'delayed')], [false, 0])
  assert.equal((await send('PUT', 'mail/pause', service.baseUrl)).status, 200)
  assert.equal(await mail.isPaused(), true)
})

test('what it answers with is not guessed at, and does not say what it was made with', async ({ get }) => {
  for (const path of ['', '/api/queues', '/nothing']) {
    const { headers, body } = await get(`/admin/queues${path}`, bearer)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-powered-by'), null)
    assert.equal(headers.get('www-authenticate'), null)
    await body?.cancel()
  }
})

test('it is no part of the documented interface', async ({ get }) => {
  const document = (await (await get('/openapi.json')).json()) as { paths: object }
  assert.deepEqual(
    Object.keys(document.paths).filter((path) => path.startsWith('/admin')),
    [],
  )
})
