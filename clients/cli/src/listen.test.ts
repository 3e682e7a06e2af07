import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../local/ports.ts'
import { openReceiver } from '../../../src/testing/receiver.ts'
import { openStrangeServer } from '../../testing/client.ts'
import { commandLineTest, type Running } from '../../testing/commandLine.ts'
import { verifyWebhook } from '../../typescript/src/entry.ts'

const test = commandLineTest()

const secretOf = async (running: Running): Promise<string> =>
  /^Secret of your receiver: (whsec_.+)$/.exec((await running.lines.next()).value)![1]!

/** There may be others before it: those of changes that were made until the first one was forwarded. */
async function lineWith(running: Running, text: string): Promise<string> {
  for (;;) {
    const { value, done } = await running.lines.next()
    assert.ok(!done, running.complaints())
    if (value.includes(text)) return value
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(10)
}

test('listen forwards what happens, genuine by the secret that it shows, and goes on where it stopped', async ({
  user,
  calendar,
}) => {
  const receiver = await openReceiver()
  try {
    const words = ['listen', '--forward-to', receiver.url]
    const first = user.start(words)
    const secret = await secretOf(first)
    // It has read where the feed is once it says so for the first change.
    const agent = await untilForwarded(first, () => calendar.agents.create({ name: 'First', type: 'ai' }))
    assert.equal(receiver.received[0]!.type, 'agent.created')
    const [delivery] = receiver.received as [(typeof receiver.received)[0]]
    for (const left of [/^x-(signature|timestamp)/, /^webhook-/]) {
      const headers = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !left.test(name)))
      const event = await verifyWebhook({ body: delivery.raw, headers, secret })
      assert.ok(event.type === 'agent.created')
      assert.equal(event.deliveryId, delivery.deliveryId)
    }
    assert.equal(await first.stop(), 130)
    const missed = await calendar.agents.update(agent, { name: 'While nobody listened' })
    // Feed only: a webhook has no such event.
    await calendar.calendars.create({ name: 'Not forwarded', timezone: 'UTC' })
    const second = user.start(words)
    assert.equal(await secretOf(second), secret)
    const line = await lineWith(second, 'agent.updated')
    assert.match(line, new RegExp(`agent\\.updated +${missed.id} +→ 200 +\\d+ ms`))
    assert.equal(receiver.received.at(-1)!.payload.agent.name, 'While nobody listened')
    receiver.answer = () => 500
    await calendar.agents.update(agent, { name: 'Refused' })
    assert.match((await second.lines.next()).value, /→ 500/)
    receiver.answer = () => 302
    await calendar.agents.update(agent, { name: 'Redirected' })
    assert.match((await second.lines.next()).value, /→ 302/)
    assert.ok(receiver.received.every(({ path }) => path === '/hook'))
    assert.equal(await second.stop(), 130)
  } finally {
    await receiver.close()
  }
})

test('listen reaches the service and the receiver past a proxy that Node was told to use', async ({
  user,
  calendar,
}) => {
  const receiver = await openReceiver()
  const dead = 'http://127.0.0.1:1'
  try {
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: dead, http_proxy: dead }
    const running = user.start(['listen', '--forward-to', receiver.url], env)
    await secretOf(running)
    await untilForwarded(running, () => calendar.agents.create({ name: 'Past the proxy', type: 'ai' }))
    assert.equal(await running.stop(), 130)
  } finally {
    await receiver.close()
  }
})

/** Changes until the first one is forwarded: which one depends on when the command has begun. Resolves to its id. */
async function untilForwarded(running: Running, change: () => PromiseLike<{ id: string }>): Promise<string> {
  const line = running.lines.next()
  const isDone = line.then(() => true)
  for (;;) {
    const { id } = await change()
    if (await Promise.race([isDone, pause(300, false)])) return id
  }
}

test('a receiver that is not there yet is waited for', async ({ user, calendar }) => {
  const port = await freePort()
  const running = user.start([
    'listen',
    '--forward-to',
    String(port),
    '--from-now',
    '--types',
    'agent.created',
    '--json',
  ])
  assert.match((await running.lines.next()).value, /^\{"secret":"whsec_/)
  const changing = (async () => {
    while (!running.complaints().includes('Nothing listens')) {
      await calendar.agents.create({ name: 'Early', type: 'ai' })
      await pause(200)
    }
  })()
  await changing
  const server = await openStrangeServer((response) => response.writeHead(204).end(), port)
  try {
    const shown = JSON.parse((await running.lines.next()).value)
    assert.deepEqual([shown.type, shown.outcome], ['agent.created', 204])
    await until(() => server.requests.length > 0)
    assert.equal(await running.stop(), 130)
  } finally {
    await server.close()
  }
})

test('changes follow prints what happens, as text and as JSON', async ({ user, calendar }) => {
  const { cursor } = await calendar.changes.list()
  const agent = await calendar.agents.create({ name: 'Followed', type: 'ai' })
  const asText = user.start(['changes', 'follow', '--cursor', cursor])
  assert.match((await asText.lines.next()).value, new RegExp(`^2026-.*agent\\.created +${agent.id}$`))
  assert.equal(await asText.stop(), 130)
  const asJson = user.start(['changes', 'follow', '--cursor', cursor, '--json'])
  const step = JSON.parse((await asJson.lines.next()).value)
  assert.deepEqual([step.kind, step.entries[0].resource.id, typeof step.cursor], ['changes', agent.id, 'string'])
  assert.equal(await asJson.stop(), 130)
})

test('a wrong address is refused', async ({ user }) => {
  const { code, err } = await user.run(['listen', '--forward-to', 'http://'])
  assert.equal(code, 2)
  assert.match(err, /--forward-to is an address/)
  assert.match((await user.run(['listen'])).err, /required option '--forward-to <address>'/)
})
