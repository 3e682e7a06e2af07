// The records of a finished request: a line in the log, and a count by route and status.
import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import { z } from 'zod'
import { openLog } from '../src/observability/log.ts'
import { makeCalendar } from '../src/testing/factories.ts'
import type { TestService } from '../src/testing/harness.ts'
import { callerOf } from '../src/testing/http.ts'
import { assertRefused } from '../src/testing/refused.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { RawAnswer, route } from './http/route.ts'
import { openServer } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a line is looked into field by field
type Line = any

async function until<T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (let tries = 0; tries < 1_000; tries++) {
    const found = await find()
    if (found) return found
    await pause(10)
  }
  assert.fail(`never seen: ${what}`)
}

const test = serviceTest()
  .extend('lines', perFile, ({ service }) => {
    const lines: string[] = []
    service.app.log = openLog('debug', 'test', { write: (line) => lines.push(line) })
    return lines
  })
  /** Everything that the log says of a request, once it is over. */
  .extend('loggedOf', perFile, ({ lines }) => async ({ headers }: { headers: Headers }): Promise<Line[]> => {
    const id = headers.get('x-request-id')
    const own = () => lines.map((line) => JSON.parse(line)).filter((line) => line.request_id === id)
    await until(() => own().some(({ message }) => message === 'request') || undefined, 'the end of the request')
    return own()
  })
  /** While `work` runs every statement on calendars fails. */
  .extend('withoutCalendars', perFile, ({ service }) => async (work: () => Promise<void>) => {
    const { sql } = service.app
    await sql`alter table calendars rename to calendars_away`
    try {
      await work()
    } finally {
      await sql`alter table calendars_away rename to calendars`
    }
  })

test('the log names a request by the pattern of its route, so that it holds no token of a feed', async ({
  service,
  key,
  lines,
  loggedOf,
  withoutCalendars,
}) => {
  const { ical_url: url } = await makeCalendar(service, key)
  const path = new URL(url).pathname
  const token = path.split('/').at(-1)!.replace('.ics', '')
  await withoutCalendars(async () => {
    const failed = await service.call('GET', path)
    assertRefused(failed, 500, 'internal_error')
    const [failure, end] = await loggedOf(failed)
    assert.deepEqual(
      [failure.message, failure.method, failure.route],
      ['request failed', 'GET', '/ical/:ical_token.ics'],
    )
    assert.deepEqual([end.message, end.route, end.status], ['request', '/ical/:ical_token.ics', 500])
  })
  const unknown = await service.call('GET', `/feeds/${token}`)
  assertRefused(unknown, 404, 'not_found')
  assert.equal((await loggedOf(unknown))[0].route, 'unknown')
  assert.deepEqual(
    lines.filter((line) => line.includes(token)),
    [],
  )
})

test('a refusal and a failure are counted for the same route as a success', async ({
  service,
  key,
  loggedOf,
  withoutCalendars,
}) => {
  const { id } = await makeCalendar(service, key)
  const asked = [
    await service.call('GET', `/v1/calendars/${id}`, { key }),
    await service.call('GET', '/v1/calendars/x', { key }),
    await service.call('PUT', `/v1/calendars/${id}`, { key }),
  ]
  await withoutCalendars(async () => {
    asked.push(await service.call('GET', `/v1/calendars/${id}`, { key }))
  })
  const ends = await Promise.all(asked.map(async (answer) => (await loggedOf(answer)).at(-1)))
  assert.deepEqual(
    ends.map(({ method, route, status }) => `${method} ${route} ${status}`),
    [200, 404, 405, 500].map((status) => `${status === 405 ? 'PUT' : 'GET'} /v1/calendars/:id ${status}`),
  )
})

/** A route that answers on demand, with a body that is written piece by piece. */
async function openSlow({ app, gate }: TestService, onTestFinished: TestContext['onTestFinished']) {
  const begun = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const body = Readable.from(['slow'], { objectMode: false })
  const slow = route({
    method: 'get',
    path: '/v1/slow/:name',
    tag: 'Test',
    operationId: 'readSlowly',
    summary: 'Slow',
    access: 'public',
    params: z.object({ name: z.string() }),
    success: { status: 200 },
    errors: [],
    async run() {
      begun.resolve()
      await told.promise
      return new RawAnswer(200, { 'Content-Type': 'text/plain' }, body)
    },
  })
  const server = createServer(openServer(app, gate, [slow]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    told.resolve()
    server.close().closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, begun, told, body }
}

test('a client that hangs up before the answer counts as 499, not as a failure of the service', async ({
  service,
  lines,
  onTestFinished,
}) => {
  const { url, begun, told, body } = await openSlow(service, onTestFinished)
  const asked = request(`${url}/v1/slow/one`).on('error', () => undefined)
  asked.end()
  await begun.promise
  lines.length = 0
  asked.destroy()
  const end = await until(() => lines.map((line) => JSON.parse(line)).find((line) => line.route), 'the end')
  assert.deepEqual([end.message, end.route, end.status], ['request', '/v1/slow/:name', 499])
  const { values } = await service.app.metrics.httpRequestDuration.get()
  const statuses = values.filter(({ labels }) => labels.route === '/v1/slow/:name').map(({ labels }) => labels.status)
  assert.deepEqual([...new Set(statuses)], [499])

  told.resolve()
  await until(() => body.destroyed || undefined, 'the end of the body')
  // Its answer comes turns of the event loop after the failure would have been logged.
  await callerOf(url)('GET', '/healthz')
  assert.deepEqual(
    lines.filter((line) => line.includes('request failed')),
    [],
  )
})
