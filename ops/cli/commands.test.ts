import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { encodeId, newId } from '../../src/shapes/ids.ts'
import { commandTest, oldKeyText, refusal } from '../../src/testing/commands.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeProposal,
} from '../../src/testing/factories.ts'
import { makePage } from '../../src/testing/guests.ts'
import { wakeSecond } from '../../src/timers/ring.ts'
import { commands } from './commands.ts'
import { help, helpOf } from './help.ts'

const test = commandTest()

test('organizations are listed and shown with what they used', async ({ service, run }) => {
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

test("an organization's pages are closed and opened, and orgs show says so", async ({ run, service }) => {
  const { orgId, page } = await makePage(service)
  const statusNow = async () => (await service.call('GET', `/book/${page.slug}/slots`)).status
  const shown = async () => {
    const { json } = await run('orgs show', [orgId])
    return [json.pages, json.pages_closed_at]
  }
  assert.deepEqual(await shown(), ['open', null])
  assert.equal((await run('pages off', [orgId])).json.pages, 'closed')
  assert.equal(await statusNow(), 404)
  assert.deepEqual(await shown(), ['closed', service.clock.now().toISOString()])
  assert.equal((await run('pages on', [orgId])).json.pages, 'open')
  assert.equal(await statusNow(), 200)
  assert.deepEqual(await shown(), ['open', null])
})

test('another plan is in force with the next request', async ({ service, run }) => {
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

test('invalid arguments are refused and change nothing', async ({ service, run }) => {
  const { id } = await makeOrganization(service)
  await assert.rejects(run('orgs plan', [id]), refusal(/Which plan\?/))
  await assert.rejects(run('orgs plan', [id, 'gold']), refusal(/^plan: must be free, pro or custom$/))
  const unknown = refusal(/^limits agent: is not a known field here$/)
  await assert.rejects(run('orgs plan', [id, 'custom'], { limit: ['agent=1'] }), unknown)
  await assert.rejects(run('orgs plan', [id, 'custom'], { limit: ['agents'] }), refusal(/expected name=n/))
  await assert.rejects(run('orgs plan', [id, 'pro'], { rate: '0' }), refusal(/rate_limit_per_second/))
  await assert.rejects(run('queues pause', ['post']), refusal(/there is no queue post/))
  assert.equal((await run('orgs show', [id])).json.plan, 'pro')
})

test('the plans are those of the service', async ({ run }) => {
  const { json, text } = await run('plans')
  assert.equal(json.pro.limits.agents, 50)
  assert.match(text, /events +2500 +125000 +agreed/)
})

test('queues show how many jobs wait and since when, and a command pauses them', async ({ service, run }) => {
  const { app } = service
  const second = Math.floor(app.clock.now().getTime() / 1000)
  await app.bell.ringNow([wakeSecond(second + 500), wakeSecond(second - 30)])
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  const timersOf = ({ json }: { json: any }) => json.find(({ queue }: { queue: string }) => queue === 'timers')
  const before = timersOf(await run('queues'))
  assert.deepEqual([before.waiting, before.delayed, before.paused, before.workers], [1, 1, false, 0])
  assert.equal(typeof before.oldest_waiting_seconds, 'number')
  assert.equal((await run('queues pause', ['timers'])).json.paused, true)
  assert.equal(timersOf(await run('queues')).waiting, 1)
  assert.equal((await run('queues resume', ['timers'])).json.paused, false)
})

test('overdue timers are listed, and a retry wakes the workers at once', async ({ service, run }) => {
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

const script = fileURLToPath(new URL('./main.ts', import.meta.url))

test('the program prints answers as text or JSON, and says in one line what is wrong', async ({ service }) => {
  const { id } = await makeOrganization(service)
  const { databaseUrl, redisUrl } = service.app.config
  const environment = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ADMIN_TOKEN: 'x'.repeat(16),
    SESSION_SECRETS: 'x'.repeat(32),
    ENCRYPTION_KEYS: oldKeyText,
  }
  const program = (args: string[], env: Record<string, string | undefined> = {}) => {
    const done = spawnSync(process.execPath, [script, ...args], { env: { ...environment, ...env }, encoding: 'utf8' })
    return [done.status, done.stdout, done.stderr] as const
  }
  const [code, json, errors] = program(['orgs', 'show', id, '--json'])
  assert.deepEqual([code, JSON.parse(json).id, errors], [0, id, ''])
  assert.match(program(['orgs', 'show', id])[1], new RegExp(`^id +${id}$`, 'm'))
  const [groupCode, group] = program(['webhooks', '--help'])
  assert.equal(groupCode, 0)
  assert.match(group, /^ {2}webhooks list /)
  assert.doesNotMatch(group, /orgs/)
  const cases: [string[], Record<string, string | undefined>, number, RegExp][] = [
    [['orgs'], {}, 2, /^ {2}orgs list /],
    [['orgs', 'show', 'org_x'], {}, 1, /^agent-calendar: No such organization\. Check the identifier\.\n$/],
    [['orgs', 'show', id, 'more'], {}, 2, /^agent-calendar: unexpected argument: more\n/],
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
      /^agent-calendar: No service uses the data in \/nowhere\. Start it, set DATA_DIR if it uses another folder, or set DATABASE_URL\.\n$/,
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
