import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { ServiceError } from '../../src/errors.ts'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { openProcess } from '../../src/testing/process.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { wakeTimers } from '../../src/wakeups/jobs.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'
import { sealedTables } from './encryption.ts'
import { help, helpOf } from './help.ts'

const oldKey = { id: 'old', secret: Buffer.alloc(32, 1) }
const newKey = { id: 'new', secret: Buffer.alloc(32, 2) }
const keyText = ({ id, secret }: typeof oldKey) => `${id}:${secret.toString('base64')}`

let service: TestService
let receiver: Receiver
beforeAll(async () => {
  service = await openTestService({ env: { ENCRYPTION_KEYS: keyText(oldKey) } })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

type Options = Record<string, string | boolean | string[]>

async function run(name: string, words: string[] = [], options: Options = {}, app: App = service.app) {
  const command = commands.find((candidate) => candidate.name === name)
  assert.ok(command, name)
  const told: string[] = []
  const tools = { app, progress: (line: string) => void told.push(line), stopped: new AbortController().signal }
  const answer = await command.run(tools, { words, options })
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  return { ...answer, json: answer.json as any, told }
}

const refusal = (message: RegExp) => (error: Error) => {
  assert.ok(error instanceof ServiceError || error instanceof UsageError, error.stack)
  assert.match(error.message, message)
  return true
}

test('organizations are listed and shown with what they used', async () => {
  const { id, key } = await makeOrganization(service)
  await makeAgent(service, key)
  const { json } = await run('orgs list', [], { limit: '1' })
  assert.deepEqual([json.data.length, json.data[0].id], [1, id])
  const shown = await run('orgs show', [id])
  assert.deepEqual(shown.json.usage.agents, { used: 1, limit: 50 })
  assert.equal(shown.json.requests_per_second, 100_000)
  assert.match(shown.text, /agents +1 of 50/)
  await assert.rejects(run('orgs show', [encodeId('org', newId())]), refusal(/No such organization/))
  await assert.rejects(run('orgs show', ['org_1']), refusal(/No such organization/))
  await assert.rejects(run('orgs list', [], { limit: '0' }), refusal(/^--limit: must be at least 1$/))
})

test('another plan is in force with the next request', async () => {
  const { id, key } = await makeOrganization(service, { plan: 'free' })
  const shared = () => service.call('GET', '/v1/scheduling/proposals', { key })
  assert.equal((await shared()).status, 403)
  await run('orgs plan', [id, 'pro'])
  assert.equal((await shared()).status, 200)
  const custom = await run('orgs plan', [id, 'custom'], { limit: ['agents=0', 'events=7'], rate: '9' })
  assert.deepEqual(
    [custom.json.plan, custom.json.limits.agents, custom.json.limits.events, custom.json.limits.calendars],
    ['custom', 0, 7, null],
  )
  assert.equal(custom.json.requests_per_second, 9)
  assert.equal((await service.call('POST', '/v1/agents', { key, body: { name: 'A', type: 'ai' } })).status, 429)
  assert.equal((await run('orgs plan', [id, 'free'], { rate: 'plan' })).json.requests_per_second, 10)
  const audited = await service.app.sql`
    select method, path, status from audit_entries where action = 'org.update' and resource = ${id}`
  assert.deepEqual([...audited], Array(3).fill({ method: 'OPS', path: 'orgs plan', status: 200 }))
})

test('what makes no sense is refused and changes nothing', async () => {
  const { id } = await makeOrganization(service)
  await assert.rejects(run('orgs plan', [id]), refusal(/the plan is missing/))
  await assert.rejects(run('orgs plan', [id, 'gold']), refusal(/^plan: must be free, pro or custom$/))
  const unknown = refusal(/^limits agent: is not a known field here$/)
  await assert.rejects(run('orgs plan', [id, 'custom'], { limit: ['agent=1'] }), unknown)
  await assert.rejects(run('orgs plan', [id, 'custom'], { limit: ['agents'] }), refusal(/expected name=n/))
  await assert.rejects(run('orgs plan', [id, 'pro'], { rate: '0' }), refusal(/rate_limit_per_second/))
  await assert.rejects(run('queues pause', ['post']), refusal(/there is no queue post/))
  assert.equal((await run('orgs show', [id])).json.plan, 'pro')
})

test('the plans are those of the service', async () => {
  const { json, text } = await run('plans')
  assert.equal(json.pro.limits.agents, 50)
  assert.match(text, /events +2500 +125000 +agreed/)
})

test('queues tell how deep and how old they are, and stop at a word', async () => {
  const { app } = service
  const second = Math.floor(app.clock.now().getTime() / 1000)
  await app.bell.ringNow([wakeTimers(7, second + 500), wakeTimers(6, second - 30)])
  const timersOf = ({ json }: Awaited<ReturnType<typeof run>>) =>
    json.find(({ queue }: { queue: string }) => queue === 'timers')
  const before = timersOf(await run('queues'))
  assert.deepEqual([before.waiting, before.delayed, before.paused, before.workers], [1, 1, false, 0])
  assert.equal(typeof before.oldest_waiting_seconds, 'number')
  assert.equal((await run('queues pause', ['timers'])).json.paused, true)
  assert.equal(timersOf(await run('queues')).waiting, 1)
  assert.equal((await run('queues resume', ['timers'])).json.paused, false)
})

test('what is overdue is listed, and rung for at once', async () => {
  const { key, id } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id, { reminders: [] })
  const proposal = await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
    expires_at: ahead(service, 30),
  })
  assert.equal((await run('timers overdue')).json.total, 0)
  await service.clock.advance(61 * 60_000)
  const { json, text } = await run('timers overdue', [], { limit: '5' })
  assert.equal(json.total, 2)
  assert.deepEqual(
    json.data.map(({ kind, subject_id, org_id, overdue_seconds }: Record<string, unknown>) => [
      kind,
      subject_id,
      org_id,
      overdue_seconds,
    ]),
    [
      ['proposal_expiry', proposal.id, id, 31 * 60],
      ['event_start', event.id, id, 60],
    ],
  )
  assert.match(text, /^31 min 0 s +proposal_expiry/m)
  const rung = (await run('queues retry', ['timers'])).json.rung
  assert.ok(rung === 1 || rung === 2)
  assert.ok((await service.app.bell.queues.get('timers')!.getWaitingCount()) >= rung)
  await service.drain()
  assert.equal((await run('timers overdue')).json.total, 0)
})

async function subscribed(key: string) {
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  await makeAgent(service, key)
  const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { key })
  return { webhook, deliveryId: body.data[0].id as string }
}

const stats = async (key: string, id: string) =>
  (await service.call('GET', `/v1/webhooks/${id}/deliveries`, { key })).body.stats

test('a delivery is looked at, and sent again whatever became of it', async () => {
  const { key, id } = await makeOrganization(service, { plan: 'free' })
  const { webhook, deliveryId } = await subscribed(key)
  receiver.answer = () => 500
  for (const minutes of [0, 1, 5, 30]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  const failed = await run('deliveries show', [deliveryId])
  assert.deepEqual(
    [failed.json.org_id, failed.json.status, failed.json.attempts, failed.json.webhook.consecutive_failures],
    [id, 'failed', 4, 4],
  )
  assert.equal(failed.json.webhook.url, receiver.url)
  assert.equal('payload' in failed.json, false)
  assert.equal((await run('deliveries show', [deliveryId], { payload: true })).json.payload.agent.name, 'Agent')
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 0, failed: 1 })

  const again = await run('deliveries send', [deliveryId])
  assert.equal(again.json.status, 'pending')
  assert.deepEqual(await stats(key, webhook.id), { pending: 1, delivered: 0, failed: 0 })
  receiver.answer = () => 204
  const sentBefore = receiver.received.length
  await service.drain()
  assert.equal(receiver.received.length, sentBefore + 1)
  assert.equal(receiver.received.at(-1)!.headers['x-delivery-id'], deliveryId)
  assert.equal(receiver.received.at(-1)!.raw, receiver.received.at(-2)!.raw)
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 1, failed: 0 })

  await run('deliveries send', [deliveryId])
  await service.drain()
  assert.equal(receiver.received.length, sentBefore + 2)
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 1, failed: 0 })
})

test('a delivery that waits for its retry is sent at a word, also right after it failed', async () => {
  const { key } = await makeOrganization(service)
  const { webhook, deliveryId } = await subscribed(key)
  receiver.answer = () => 500
  await service.drain()
  receiver.answer = () => 204
  await run('deliveries send', [deliveryId])
  await service.drain()
  assert.deepEqual(await stats(key, webhook.id), { pending: 0, delivered: 1, failed: 0 })
})

test('of many who send a delivery again at once one does, while it is under way nobody', async () => {
  const { key } = await makeOrganization(service)
  const { webhook, deliveryId } = await subscribed(key)
  receiver.answer = () => 204
  await service.drain()
  const sends = await Promise.allSettled(Array.from({ length: 8 }, () => run('deliveries send', [deliveryId])))
  assert.ok(sends.some(({ status }) => status === 'fulfilled'))
  assert.deepEqual(await stats(key, webhook.id), { pending: 1, delivered: 0, failed: 0 })
  await service.app.sql`
    update webhook_deliveries set last_attempt_at = app_now(), next_retry_at = app_now() + interval '10 seconds'
    where status = 'pending'`
  await assert.rejects(run('deliveries send', [deliveryId]), refusal(/An attempt is under way/))
})

test('nothing is sent for a webhook that is removed or switched off', async () => {
  const { key } = await makeOrganization(service)
  const { webhook, deliveryId } = await subscribed(key)
  await service.call('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active: false } })
  await assert.rejects(run('deliveries send', [deliveryId]), refusal(/not active/))
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { key })
  await assert.rejects(run('deliveries send', [deliveryId]), refusal(/has been removed/))
  await assert.rejects(run('deliveries send', [encodeId('whd', newId())]), refusal(/No such delivery/))
  await assert.rejects(run('deliveries show', ['whd_x']), refusal(/No such delivery/))
})

test('every sealed column of the database is rotated', async () => {
  const columns = await service.app.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%\_sealed' order by 1`
  assert.deepEqual(
    sealedTables.flatMap(({ name, columns: own }) => Object.keys(own).map((column) => `${name}.${column}`)).toSorted(),
    columns.map(({ name }) => name).toSorted(),
  )
})

test('values are sealed anew while the service writes, and then the old key can go', async (t) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const webhook = await makeWebhook(service, key, receiver.url, ['event.created'])
  const proposal = await makeProposal(service, key, {
    title: 'Proposal of before',
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
  })
  const events = []
  for (let nth = 0; nth < 25; nth++) {
    events.push(
      await makeEvent(service, key, calendar.id, { title: `Event ${nth}`, description: nth % 2 ? 'Long' : undefined }),
    )
  }
  const rotating = await openProcess(service, { config: { encryptionKeys: [newKey, oldKey] } })
  t.onTestFinished(() => rotating.close())
  const use = async () => {
    const { values } = (await run('keys', [], {}, rotating.app)).json
    return new Map(Map.groupBy(values as { key: string; count: number }[], (value) => value.key).entries())
  }
  assert.deepEqual([...(await use()).keys()], ['old'])

  const writing = events.map((event, nth) =>
    rotating.call('PATCH', `/v1/calendars/${calendar.id}/events/${event.id}`, {
      key,
      body: { title: `Written ${nth}` },
    }),
  )
  const done = await run('keys rotate', [], { block: '7', pause: '0' }, rotating.app)
  for (const { status } of await Promise.all(writing)) assert.equal(status, 200)
  assert.deepEqual([done.isWrong, done.json.left], [false, []])
  assert.match(done.text, /the other keys can go/)
  assert.ok(done.told.some((line) => /^events: \d+ rows seen, \d+ sealed anew$/.test(line)))
  assert.deepEqual([...(await use()).keys()], ['new'])
  const second = await run('keys rotate', [], {}, rotating.app)
  assert.deepEqual(
    second.json.tables.map(({ resealed }: { resealed: number }) => resealed),
    sealedTables.map(() => 0),
  )

  const later = await openProcess(service, { config: { encryptionKeys: [newKey] } })
  t.onTestFinished(() => later.close())
  const read = async (path: string) => {
    const answer = await later.call('GET', path, { key })
    assert.equal(answer.status, 200, path)
    return answer.body
  }
  const list = await read(`/v1/calendars/${calendar.id}/events?limit=100`)
  assert.deepEqual(
    new Set(list.data.map(({ title }: { title: string }) => title)),
    new Set(events.map((_, nth) => `Written ${nth}`)),
  )
  assert.equal((await read(`/v1/calendars/${calendar.id}`)).ical_url.split('/ical/').length, 2)
  assert.equal((await read(`/v1/webhooks/${webhook.id}`)).url, receiver.url)
  assert.equal((await read(`/v1/scheduling/proposals/${proposal.id}`)).title, 'Proposal of before')
  const history = await read(`/v1/webhooks/${webhook.id}/deliveries?include_payload=true&limit=100`)
  assert.equal(history.data.at(-1).payload.event.title, 'Event 0')
})

test('what no key opens is named, left as it is, and makes the command fail', async () => {
  const { key } = await makeOrganization(service)
  await makeCalendar(service, key)
  const lacking = await openProcess(service, {
    config: { encryptionKeys: [{ id: 'third', secret: Buffer.alloc(32, 3) }] },
  })
  const { isWrong, text, json } = await run('keys rotate', [], {}, lacking.app)
  assert.equal(isWrong, true)
  assert.match(text, /calendars\.feed_token:[0-9a-f-]{36}: no encryption key with the id "(old|new)"/)
  assert.equal(
    json.tables.reduce((sum: number, table: { resealed: number }) => sum + table.resealed, 0),
    0,
  )
  await lacking.close()
})

const script = fileURLToPath(new URL('./main.ts', import.meta.url))

test('the program prints answers as text or JSON, and says in one line what is wrong', async () => {
  const { id } = await makeOrganization(service)
  const { databaseUrl, redisUrl } = service.app.config
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ADMIN_TOKEN: 'x'.repeat(16),
    SESSION_SECRETS: 'x'.repeat(32),
    ENCRYPTION_KEYS: keyText(oldKey),
  }
  const program = (args: string[], env: Record<string, string | undefined> = {}) => {
    const done = spawnSync(process.execPath, [script, ...args], { env: { ...environment, ...env }, encoding: 'utf8' })
    return [done.status, done.stdout, done.stderr] as const
  }
  const [code, json, errors] = program(['orgs', 'show', id, '--json'])
  assert.deepEqual([code, JSON.parse(json).id, errors], [0, id, ''])
  assert.match(program(['orgs', 'show', id])[1], new RegExp(`^id +${id}$`, 'm'))
  const cases: [string[], Record<string, string | undefined>, number, RegExp][] = [
    [['orgs', 'show', 'org_x'], {}, 1, /^agent-calendar: No such organization\. Check the identifier\.\n$/],
    [['orgs', 'show', id, 'more'], {}, 2, /^agent-calendar: one word too many: more\n/],
    [['orgs', 'show', id, '--nonsense'], {}, 2, /^agent-calendar: Unknown option '--nonsense'/],
    [['keys', 'rotate', '--block', 'x'], {}, 2, /^agent-calendar: --block: expected a whole number/],
    [['rotate'], {}, 2, /^agent-calendar: there is no command rotate\n/],
    [['plans'], { ENCRYPTION_KEYS: undefined }, 1, /^agent-calendar: ENCRYPTION_KEYS: is required\n$/],
    [
      ['orgs', 'list'],
      { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/x' },
      1,
      /^agent-calendar: DATABASE_URL: 127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\. Is Postgres running there\?\n$/,
    ],
    [
      ['queues'],
      { REDIS_URL: 'redis://:secret@127.0.0.1:1/0' },
      1,
      /^agent-calendar: REDIS_URL: 127\.0\.0\.1:1 does not answer\. Is Redis running there\?\n$/,
    ],
    [
      ['queues'],
      { DATABASE_URL: undefined, DATA_DIR: '/nowhere' },
      1,
      /^agent-calendar: No npm start runs on \/nowhere\. Start it, set DATA_DIR if it uses another folder, or set DATABASE_URL\.\n$/,
    ],
  ]
  for (const [args, env, expected, line] of cases) {
    const [status, output, complaint] = program(args, env)
    assert.deepEqual([status, output], [expected, ''], args.join(' '))
    assert.match(complaint, line)
  }
})

test('every command explains itself, with each of its options', () => {
  for (const command of commands) {
    const text = helpOf(command)
    assert.ok(text.startsWith(`npm run ops -- ${command.name}`))
    for (const option of [...Object.keys(command.options ?? {}), 'json'])
      assert.ok(text.includes(`  --${option} `), text)
    assert.ok(help().includes(`\n  ${command.name} `))
  }
})
