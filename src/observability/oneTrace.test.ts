// One trace from a request to the webhook that it leads to, through real processes and a collector that speaks OTLP.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { openRunningService, type RunningService } from '../../trials/world/service.ts'
import { openReceiver, type Receiver } from '../testing/receiver.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  service: string
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  links?: { traceId: string; spanId: string }[]
  attributes: Attribute[]
}
type Collector = { url: string; spans: Span[]; close(): Promise<void> }

/** Keeps what is exported as `http/json`. */
async function openCollector(): Promise<Collector> {
  const spans: Span[] = []
  const server = createServer(async (req, res) => {
    for (const { resource, scopeSpans } of JSON.parse((await req.toArray()).join('')).resourceSpans) {
      const service = attribute(resource, 'service.name') as string
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span: Span) => ({ ...span, service })))
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const attribute = ({ attributes }: { attributes: Attribute[] }, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

let collector: Collector
let receiver: Receiver
let service: RunningService
let key: string
let calendarId: string

beforeAll(async () => {
  collector = await openCollector()
  receiver = await openReceiver()
  service = await openRunningService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    LOG_LEVEL: 'debug',
  })
  key = await service.makeKey('pro')
  const body = { url: receiver.url, events: ['event.created', 'event.hold_created', 'event.hold_released'] }
  assert.equal((await service.call('POST', '/v1/webhooks', { key, body })).status, 201)
  const calendar = await service.call('POST', '/v1/calendars', { key, body: { name: 'Traced', timezone: 'UTC' } })
  calendarId = calendar.body.id
})
afterAll(async () => {
  await service?.close()
  await receiver.close()
  await collector.close()
})

/** Polls what another process is about to do. */
async function until<T>(find: () => T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const found = find()
    if (found) return found
    await pause(50)
  }
  assert.fail(`never seen: ${what}`)
}

const start = '2030-01-07T09:00:00Z'
const create = (body: object, headers = {}) =>
  service.call('POST', `/v1/calendars/${calendarId}/events`, {
    key,
    headers,
    body: { title: 'Traced', start_time: start, end_time: '2030-01-07T10:00:00Z', ...body },
  })
const hold = (headers = {}) => {
  const hold_expires_at = new Date(Date.now() + 300_000).toISOString()
  return create({ status: 'hold', hold_expires_at, hold_priority: priority++ }, headers)
}
let priority = 1

/** The span of a request, by the identifier that its answer carried. */
const requestSpan = (answer: { headers: Headers }) => {
  const id = answer.headers.get('x-request-id')
  return until(() => collector.spans.find((span) => attribute(span, 'calendar.request.id') === id), 'the request')
}

const deliveryOf = (id: string) =>
  until(() => receiver.received.find(({ payload }) => payload.event?.id === id), 'the delivery')

test('one trace holds the request, its statement, the wake-up and the attempt, and the receiver is told which', async () => {
  const answer = await hold()
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const request = await requestSpan(answer)
  assert.equal(request.name, 'POST /v1/calendars/:cal_id/events')
  assert.equal(attribute(request, 'http.response.status_code'), 201)
  assert.equal(request.service, 'agent-calendar-api')

  const delivery = await deliveryOf(answer.body.id)
  const [, traceId, spanId, flags] = String(delivery.headers.traceparent).split('-')
  assert.equal(traceId, request.traceId)
  assert.equal(flags, '01')

  const attempt = await until(() => collector.spans.find((span) => span.spanId === spanId), 'the attempt')
  assert.equal(attempt.name, 'deliver event.hold_created')
  assert.equal(attempt.service, 'agent-calendar-worker')
  assert.equal(attribute(attempt, 'calendar.delivery.id'), delivery.deliveryId)
  assert.equal(attribute(attempt, 'http.response.status_code'), 200)

  // A span is exported when it ends: those around it later.
  const parentOf = (span: Span) =>
    until(() => collector.spans.find(({ spanId }) => spanId === span.parentSpanId), 'a parent')
  const job = await parentOf(attempt)
  assert.deepEqual([job.name, job.service, job.traceId], ['deliver job', 'agent-calendar-worker', traceId])
  assert.equal((await parentOf(job)).spanId, request.spanId)
  for (const name of ['commit.runStatement', 'ring', 'deliveries.claimDeliveries', 'deliveries.recordResults']) {
    await until(() => collector.spans.find((span) => span.traceId === traceId && span.name === name), name)
  }
})

test('events that share a statement keep their own traces', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => create({})))
  const traces = new Set<string>()
  for (const answer of answers) {
    const request = await requestSpan(answer)
    const delivery = await deliveryOf(answer.body.id)
    assert.equal(String(delivery.headers.traceparent).split('-')[1], request.traceId)
    traces.add(request.traceId)
  }
  assert.equal(traces.size, 5)
})

test('a timer fires in a trace of its own that points to what set it', async () => {
  const soon = new Date(Date.now() + 1_200)
  const answer = await create({ start_time: soon.toISOString(), end_time: '2031-01-01T00:00:00Z' })
  const { traceId } = await requestSpan(answer)
  const fire = await until(
    () =>
      collector.spans.find(
        ({ name, links }) => name === 'fire timers' && links?.some((link) => link.traceId === traceId),
      ),
    'the firing',
  )
  assert.notEqual(fire.traceId, traceId)
})

test("a stranger's trace is pointed to, and does not decide which of ours are kept", async () => {
  const theirs = 'a'.repeat(32)
  const request = await requestSpan(await hold({ traceparent: `00-${theirs}-${'b'.repeat(16)}-00` }))
  assert.notEqual(request.traceId, theirs)
  assert.deepEqual(
    request.links?.map((link) => link.traceId),
    [theirs],
  )
})

test('a traceparent that is none changes nothing', async () => {
  const answer = await hold({ traceparent: 'nonsense' })
  assert.equal(answer.status, 201)
  assert.deepEqual((await requestSpan(answer)).links ?? [], [])
})

test('log lines name the trace and the span that they belong to', async () => {
  const answer = await hold()
  const id = answer.headers.get('x-request-id')!
  const request = await requestSpan(answer)
  const line = readFileSync(join(service.dataDir, 'api-1.log'), 'utf8')
    .split('\n')
    .filter((text) => text.includes(id))
    .map((text) => JSON.parse(text))
    .find(({ message }) => message === 'request')
  assert.deepEqual([line.trace_id, line.span_id], [request.traceId, request.spanId])
})
