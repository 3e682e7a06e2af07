import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { freePort } from '../local/ports.ts'
import { summary } from '../local/summary.ts'
import { signature } from '../src/webhooks/signature.ts'
import { type Block, blocksOf, read, root, section } from './documents/markdown.ts'
import { openReader, type Reader } from './documents/shell.ts'

const quickstart = read('docs/quickstart.md')
const walk = section(quickstart, '## The first webhook')
// In the order of their variables.
const guide = (name: string) => read(`docs/guide/${name}.md`)
const tryIt = (name: string) => section(read(`docs/${name}.md`), '## Try it')
const recipes = [
  ...['series', 'safe-retries', 'follow-changes', 'free-times', 'no-double-booking', 'event-details'].map(guide),
  tryIt('webhooks'),
  ...['negotiate', 'keys-and-local-times', 'guardrails', 'undo'].map(guide),
  tryIt('booking-pages'),
  guide('feeds'),
].join('\n')
const holds = guide('hold-then-confirm') + guide('hold-groups')
// Runs in documents.calendars.test.ts.
const calendars = read('docs/guide/humans-calendars.md')
const blocks = blocksOf(walk)
const holdMs = Number(/^SOON=.*Date\.now\(\) \+ ([\d_]+)\)/m.exec(walk)![1]!.replace('_', ''))
const receiverFile = 'examples/receiver.mjs'

let reader: Reader
beforeAll(async () => {
  reader = await openReader()
})
afterAll(() => reader.close())

const languages = (of: readonly Block[]) => [...new Set(of.map(({ language }) => language))].sort()

test('all blocks of the quickstart are of kinds that are tried', () => {
  assert.equal(blocksOf(quickstart).length, blocks.length)
  const guides = globSync('docs/guide/*.md', { cwd: root }).map(read)
  const tried = [...guides, tryIt('webhooks'), tryIt('booking-pages')]
  assert.equal(blocksOf(tried.join('\n')).length, blocksOf(recipes + holds + calendars).length)
  assert.deepEqual(languages(blocks), ['js', 'json', 'sh', 'text'])
  assert.deepEqual(languages(blocksOf(recipes + holds + calendars)), ['sh'])
})

test('the quickstart starts the service as README.md does, and shows what npm start prints', () => {
  assert.equal(blocks[0]!.text, blocksOf(read('README.md'))[0]!.text)
  const shown = blocks.find(({ language }) => language === 'text')!.text
  const shownAs = (name: string) => new RegExp(`^ {2}${name} {2,}(\\S+)$`, 'm').exec(shown)?.[1] ?? assert.fail(name)
  const printed = summary({
    baseUrl: shownAs('API'),
    dataDir: shownAs('Data'),
    mailTarget: shownAs('Mails'),
    adminToken: shownAs('Admin token'),
    demo: {
      org_id: shownAs('Demo organization'),
      api_key: shownAs('Its key'),
      email: shownAs('Its owner'),
      password: shownAs('Password'),
    },
    signInLink: shownAs('Sign-in link'),
    metrics: ['api', 'workers'].map((name) => ({ name, url: shownAs(`Metrics, ${name}`) })),
    trustedHosts: [shownAs('Trusted hosts')],
  })
  assert.equal(`\n${shown}`, printed)
})

test('the quickstart shows the receiver as it is', () => {
  assert.equal(blocks.find(({ language }) => language === 'js')!.text, read(receiverFile))
})

/** The form of a response, without the parts that differ from one time to the next. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
  }
  if (typeof value !== 'string') return value
  return value
    .replace(/^(org|whk|agt|cal|evt)_[0-9a-z]{26}$/, '$1_…')
    .replace(/^(whsec)_.{44}$/, '$1_…')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a time')
    .replace(/^http:.*\/ical\/.{32}\.ics$/, 'a feed')
}

const responsesIn = (printed: string) =>
  printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))

test('the first webhook of the quickstart arrives, and the responses are those that are shown', async () => {
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)
  const printed = await reader.run(commands.slice(1).join('\n'))
  const shown = blocks.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(reader.placed(text)))
  const responses = responsesIn(printed)
  assert.deepEqual(responses.map(shapeOf), shown.map(shapeOf))

  const [, calendar, hold] = responses
  const lines = await reader.receiver()
  await reader.service.drain()
  const created = (await lines.next()).value
  assert.ok(created.startsWith(`event.hold_created genuine {"calendar_id":"${calendar.id}"`), created)
  await reader.service.clock.set(new Date(Date.now() + holdMs))
  await reader.service.drain()
  const expired = { calendar_id: calendar.id, event_id: hold.id }
  assert.equal((await lines.next()).value, `event.hold_expired genuine ${JSON.stringify(expired)}`)
})

const commandsOf = (text: string) =>
  blocksOf(text)
    .map((block) => block.text)
    .join('\n')

test('the recipes of holds confirm one, release one, and confirm a group', async () => {
  const [confirmed, released, group, whole] = responsesIn(await reader.run(commandsOf(holds)))
  assert.deepEqual([confirmed.title, confirmed.status], ['Viewing', 'confirmed'])
  assert.deepEqual([released.title, released.status], ['Second viewing', 'cancelled'])
  assert.deepEqual([group.status, whole.status, whole.id], ['held', 'confirmed', group.id])
})

test('the recipes run in their order and do what they say', async () => {
  const { service, key } = reader
  // The dates of the recipes lie ahead.
  await service.clock.set(new Date('2026-03-02T09:00:00Z'))
  const printed = await reader.run(commandsOf(recipes))
  const responses = responsesIn(printed)
  assert.equal(responses.length, 40)
  const [series, occurrences, local, moved, split, ...others] = responses
  assert.equal(local.recurrenceTimezone, 'Europe/Berlin')
  assert.deepEqual([moved.originalStartTime, moved.startTime], ['2026-12-15T09:00:00.000Z', '2026-12-15T14:00:00.000Z'])
  assert.deepEqual([split.previous.id, split.series.title], [series.id, 'Stand-up of the new year'])
  const [tried, final, tea, changes, common, why, check, best, rules, closed, alone, placed, labelled, ...later] =
    others
  const [rotated, health, replayed, response, proposal, review, time, reachable, ...last] = later
  const [call, limited, freed, asked, waiting, decided, ...undone] = last
  const [trash, restored, cut, whole, history, booking, subscription] = undone
  assert.deepEqual([call.title, limited.guardrails, freed.guardrails], ['Call', { read_only: true }, undefined])
  assert.deepEqual([asked.approval.status, waiting.total, waiting.data[0].id], ['pending', 1, asked.approval.id])
  assert.deepEqual([decided.status, decided.result.body.title], ['approved', 'Dinner'])
  assert.deepEqual(
    [placed.labels, labelled.data.map(({ id }: { id: string }) => id)],
    [['team', 'review'], [placed.id]],
  )
  assert.deepEqual([trash.data[0].id, restored.title, restored.id], [restored.id, 'Lunch', trash.data[0].id])
  assert.deepEqual([cut.recurrenceExdates, whole.recurrenceExdates], [['2026-12-17T09:00:00.000Z'], []])
  assert.equal(history.data[0].change_id.slice(0, 4), 'chg_')
  assert.deepEqual(series.recurrenceExdates, ['2026-12-08T09:00:00.000Z'])
  assert.equal(occurrences.data.filter(({ title }: { title: string }) => title === 'Stand-up').length, 4)
  const { external_sync: _, ...event } = tea
  assert.deepEqual(changes.data[0].payload.event, event)
  assert.ok(recipes.includes(`\`${review.local.text}\``))
  assert.deepEqual([time.local.date, time.local.time], ['2026-03-02', '10:00'])
  assert.equal(common.slots.length, 3)
  assert.deepEqual([why.blocked.length, why.blocked[0].by[0].event_id], [1, series.id])
  assert.deepEqual([check.free, check.blocked_by[0].event_id, check.next_free.length], [false, series.id, 5])
  assert.deepEqual(best.best[0].reasons.slice(0, 1), ['touches_after'])
  assert.deepEqual(
    [rules.dates.length, closed.blocked_by],
    [2, [{ kind: 'closed_date', calendar_id: rules.calendar_id, date: '2026-12-24' }]],
  )
  assert.deepEqual([alone.title, alone.status], ['Alone', 'confirmed'])
  assert.deepEqual([tried.dry_run, tried.status, tried.body.id], [true, 201, null])
  assert.equal(final.title, 'Final')
  assert.match(rotated.secret, /^whsec_/)
  assert.equal(health.state, 'healthy')
  assert.deepEqual([replayed.matched, replayed.status], [0, 'done'])
  assert.equal(response.response, 'accept')
  assert.deepEqual([proposal.status, proposal.resolved_slot.id], ['confirmed', response.selected_slot_id])
  assert.deepEqual([reachable.total, reachable.data[0].name], [1, 'Robin'])
  assert.equal(booking.event.status, 'confirmed')
  assert.equal(subscription.status, 'active')

  await service.drain()
  const imported = await service.call('GET', `/v1/calendars/${subscription.calendar_id}/events`, { key })
  const titles = imported.body.data
    .filter(({ status }: { status: string }) => status === 'confirmed')
    .map(({ title }: { title: string }) => title)
  const expected = [
    'Intro call: Kim',
    'Call',
    'Dinner',
    'Stand-up',
    'Stand-up of the new year',
    'Review',
    'Planning',
    'Tea',
    'Lunch',
    'Final',
    'Alone',
    'Viewing',
    'Weekly',
  ]
  assert.deepEqual(new Set(titles), new Set(expected))
  assert.equal(titles.length, 41)
})

test('the receiver refuses what another secret signed, and what is old', async (t) => {
  const port = await freePort()
  const secret = 'whsec_of-the-receiver'
  const receiver: ChildProcess = spawn(process.execPath, [join(root, receiverFile)], {
    env: { ...process.env, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.onTestFinished(() => void receiver.kill())
  await once(receiver, 'spawn')
  const lines = createInterface({ input: receiver.stdout! })[Symbol.asyncIterator]()
  const now = Math.floor(Date.now() / 1000)
  const cases: [signedBy: string, timestamp: number, status: number, line: string][] = [
    [secret, now, 204, 'genuine'],
    ['whsec_of-somebody-else', now, 401, 'refused'],
    [secret, now - 301, 401, 'refused'],
  ]
  for (const [signedBy, timestamp, status, line] of cases) {
    const headers = {
      'x-timestamp': String(timestamp),
      'x-signature': signature(signedBy, String(timestamp), '{}'),
      'x-service-event-type': 'agent.created',
    }
    const answer = await postOnceItListens(`http://127.0.0.1:${port}`, headers)
    assert.equal(answer.status, status)
    assert.equal((await lines.next()).value, `agent.created ${line} {}`)
  }
})

/** It begins to listen a moment after it was started. */
async function postOnceItListens(url: string, headers: Record<string, string>): Promise<Response> {
  for (let tries = 0; ; tries++) {
    try {
      return await fetch(url, { method: 'POST', headers, body: '{}' })
    } catch (error) {
      if (tries === 200) throw error
      await pause(50)
    }
  }
}
