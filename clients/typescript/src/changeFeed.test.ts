import assert from 'node:assert/strict'
import { clientTest, openStrangeServer, sendJson, withStrangeServer } from '../../testing/client.ts'
import { AgentCalendar, AuthenticationError, type FeedStep } from './entry.ts'

const test = clientTest()

/** Steps until one has this many entries in all. */
async function entriesOf(steps: AsyncIterable<FeedStep>, count: number) {
  const found: { type: string; cursor: string }[] = []
  for await (const step of steps) {
    if (step.kind === 'changes') found.push(...step.entries.map(({ type }) => ({ type, cursor: step.cursor })))
    if (found.length >= count) break
  }
  return found
}

for (const mode of ['stream', 'poll'] as const) {
  test(`every change arrives, and goes on from a kept cursor: ${mode}`, async ({ calendar }) => {
    const { cursor } = await calendar.changes.list()
    await calendar.agents.create({ name: 'One', type: 'ai' })
    const made = await calendar.calendars.create({ name: 'Two', timezone: 'UTC' })
    const [first] = await entriesOf(calendar.changes.follow({ mode, cursor, waitSeconds: 1 }), 1)
    assert.equal(first!.type, 'agent.created')
    const rest = entriesOf(
      calendar.changes.follow({ mode, cursor: first!.cursor, waitSeconds: 5 }),
      mode === 'stream' ? 2 : 1,
    )
    await calendar.events.create(made.id, {
      title: 'Three',
      start_time: '2026-03-03T10:00:00Z',
      end_time: '2026-03-03T11:00:00Z',
    })
    const types = (await rest).map(({ type }) => type)
    assert.deepEqual(types, mode === 'stream' ? ['calendar.created', 'event.created'] : ['event.created'])
  })
}

test('without a cursor it begins now, filters apply, and a signal ends it with its reason', async ({ calendar }) => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const seen: string[] = []
  const following = (async () => {
    for await (const step of calendar.changes.follow({ types: ['agent.created'], signal: controller.signal })) {
      seen.push(step.kind)
      if (step.kind === 'idle') {
        await calendar.calendars.create({ name: 'Not asked for', timezone: 'UTC' })
        await calendar.agents.create({ name: 'Asked for', type: 'ai' })
      } else setTimeout(() => controller.abort(reason), 20)
    }
  })()
  await assert.rejects(following, reason)
  assert.deepEqual(seen, ['idle', 'changes'])
})

test('a cursor that leads nowhere is a resync, and the iteration goes on behind it', async ({ service, calendar }) => {
  const { cursor } = await calendar.changes.list()
  await calendar.agents.create({ name: 'Forgotten', type: 'ai' })
  await service.clock.advance(40 * 24 * 3600 * 1000)
  await service.drain()
  for (const mode of ['stream', 'poll'] as const) {
    const kinds: string[] = []
    for await (const step of calendar.changes.follow({ mode, cursor })) {
      kinds.push(step.kind)
      if (step.kind === 'resync') {
        assert.deepEqual([step.reason, step.lists[0]], ['too_old', '/v1/agents'])
        await calendar.agents.create({ name: 'While reading the lists', type: 'ai' })
      }
      if (step.kind === 'changes') {
        assert.equal(step.entries[0]!.type, 'agent.created')
        break
      }
    }
    assert.deepEqual(kinds, ['resync', 'changes'])
  }
})

test('a key that is not known ends it with the error', async ({ service }) => {
  const stranger = new AgentCalendar({ baseUrl: service.baseUrl, apiKey: 'svc_sk_unknown' })
  await assert.rejects(entriesOf(stranger.changes.follow(), 1), AuthenticationError)
})

test('a broken connection is opened again from the last cursor, and said', async () => {
  const event = (id: string) => `id: ${id}\r\nevent: change\r\ndata: [{"type":"x",\ndata: "id":"${id}"}]\n\n`
  const troubles: unknown[] = []
  await withStrangeServer(
    (response, nth) => {
      if (nth === 2) {
        response.destroy()
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const text = `: \n\n${event(`c${nth}`)}`
      // In pieces, as a network may deliver it.
      for (const letter of text) response.write(letter)
      if (nth === 1) setTimeout(() => response.destroy(), 50)
    },
    async (calendar, { requests }) => {
      const onTrouble = (error: unknown) => troubles.push(error)
      const found = await entriesOf(calendar.changes.follow({ cursor: 'c0', onTrouble }), 2)
      assert.deepEqual(
        found.map(({ cursor }) => cursor),
        ['c1', 'c3'],
      )
      assert.deepEqual(
        requests.map(({ url }) => url),
        ['c0', 'c1', 'c1'].map((cursor) => `/v1/changes/stream?cursor=${cursor}`),
      )
      assert.equal(troubles.length, 2)
    },
  )
})

test('gone in the middle of a stream is a resync, too', async () => {
  const body = {
    error: { type: 'cursor_gone', message: 'm', reason: 'restored', resync: { cursor: 'n', lists: ['/l'] } },
  }
  await withStrangeServer(
    (response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: gone\ndata: ${JSON.stringify(body)}\n\n`),
    async (calendar) => {
      const { value } = await calendar.changes.follow({ cursor: 'c0' }).next()
      assert.deepEqual(value, { kind: 'resync', reason: 'restored', cursor: 'n', lists: ['/l'] })
    },
  )
})

test('leaving the loop closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const server = await openStrangeServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: c1\nevent: change\ndata: []\n\n')
    response.on('close', () => closed.resolve())
  })
  try {
    for await (const _ of new AgentCalendar({ baseUrl: server.url }).changes.follow({ cursor: 'c0' })) break
    await closed.promise
  } finally {
    await server.close()
  }
})

test('a page that is none is an error', async () => {
  await withStrangeServer(
    (response) => sendJson(response, 200, { data: [] }),
    async (calendar) => {
      await assert.rejects(entriesOf(calendar.changes.follow(), 1), /No page of changes/)
    },
  )
})
