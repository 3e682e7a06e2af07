// The documents are compared with the code, and the five minutes of the README are walked.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, test } from 'vitest'
import { webhookEvents } from '../api/openapi/webhookEvents.ts'
import { routes } from '../api/routes.ts'
import { freePort } from '../local/ports.ts'
import { summary } from '../local/summary.ts'
import { variableNames } from '../src/config.ts'
import { openMetrics } from '../src/observability/metrics.ts'
import { plans, publicPlanIds } from '../src/plans/plans.ts'
import { ahead, makeAgent, makeCalendar, makeOrganization } from '../src/testing/factories.ts'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { jobs } from '../src/wakeups/jobs.ts'
import { eventTypes } from '../src/webhooks/catalog.ts'
import { signature } from '../src/webhooks/signature.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const contributing = read('CONTRIBUTING.md')
const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]

/** What stands under a heading, up to the next one of its rank or above. */
function section(text: string, heading: string): string {
  const begin = text.indexOf(`\n${heading}\n`)
  assert.ok(begin >= 0, `there is no heading ${heading}`)
  const rest = text.slice(begin + heading.length + 2)
  const rank = heading.indexOf(' ')
  const end = rest.search(new RegExp(`^#{1,${rank}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}

const rowsOf = (text: string) => [...text.matchAll(/^\| .* \|$/gm)].map(([line]) => line).slice(1)
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

test('the README explains every variable, in the order of the code, and no other', () => {
  const named = rowsOf(section(readme, '## Environment')).map((row) => quoted(row)[0])
  assert.deepEqual(named, variableNames)
})

test('the README explains every metric as the code does', () => {
  type Metric = { name: string; help: string; labelNames: string[] }
  const metrics = openMetrics().registry.getMetricsAsArray() as unknown as Metric[]
  const own = metrics.filter(({ name }) => !/^calendar_(process|nodejs)_/.test(name))
  const expected = own.map((metric) => {
    const labels = metric.labelNames.map((label) => `\`${label}\``).join(', ')
    return `| \`${metric.name}\` | ${metric.constructor.name.toLowerCase()} | ${labels} | ${metric.help} |`
  })
  assert.deepEqual(rowsOf(section(readme, '## Metrics')), expected)
})

test('the README lists every endpoint as the code has it', () => {
  const expected = routes.map(
    (route) => `| ${route.method.toUpperCase()} | \`${route.path}\` | ${route.access} | ${route.summary} |`,
  )
  const listed = rowsOf(section(readme, '## Endpoints'))
  assert.deepEqual(
    {
      missing: expected.filter((row) => !listed.includes(row)),
      wrong: listed.filter((row) => !expected.includes(row)),
    },
    { missing: [], wrong: [] },
  )
})

/** Of each event: its type, when it is sent, what it carries. */
const eventRows = rowsOf(section(readme, '## Webhook events')).map((row) => row.split(' | '))

test('the README names every event type', () => {
  assert.deepEqual(
    eventRows.map(([type]) => quoted(type!)[0]),
    [...eventTypes],
  )
})

test('the README tells of each event what its payload carries', () => {
  for (const [type, , payload] of eventRows) {
    const [name] = quoted(type!)
    assert.deepEqual(
      quoted(payload!).sort(),
      Object.keys(webhookEvents[name as 'agent.created'].payload.shape).sort(),
      name,
    )
  }
})

test('the README tells the waits between the attempts as the plans have them', () => {
  const row = rowsOf(section(readme, '## Plans')).find((one) => one.startsWith('| Waits'))
  const inWords = (seconds: number) => (seconds < 3600 ? `${seconds / 60}m` : `${seconds / 3600}h`)
  const waits = publicPlanIds.map((plan) => plans[plan].retryScheduleSeconds.map(inWords).join(', '))
  assert.equal(row, `| Waits between them | ${waits.join(' | ')} |`)
})

test('CONTRIBUTING lists every job and its queue', () => {
  const listed = rowsOf(section(contributing, '### A job')).map((row) => quoted(row).slice(0, 2))
  assert.deepEqual(
    listed,
    Object.entries(jobs).map(([name, { queue }]) => [name, queue]),
  )
})

for (const document of documents) {
  const text = read(document)

  test(`${document} names only files that exist`, () => {
    const paths = quoted(text).filter((word) =>
      /^(src|api|workers|local|ops|trials|tools|grafana|docs|migrations|\.ci)\/[\w./-]*$/.test(word),
    )
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => join(dirname(document), match[1]!))
    assert.deepEqual(
      [...paths, ...links].filter((path) => !existsSync(join(root, path))),
      [],
    )
  })

  test(`${document} names only metrics and commands that exist`, () => {
    const metrics = openMetrics().registry.getMetricsAsArray()
    const names = new Set(metrics.flatMap(({ name }) => [name, ...['_bucket', '_sum', '_count'].map((s) => name + s)]))
    const { scripts } = JSON.parse(read('package.json'))
    const meant = [...text.matchAll(/\bcalendar_[a-z_]+_[a-z]+\b/g)].map(([name]) => name)
    const run = [...text.matchAll(/npm run (?:--silent )?([a-z]+)/g)].map((match) => match[1]!)
    assert.deepEqual([...meant.filter((name) => !names.has(name)), ...run.filter((name) => !(name in scripts))], [])
  })
}

test('every file that a command or a text names is there', () => {
  const path =
    /(?<![\w./-])(?:\.ci|api|docs|grafana|local|migrations|ops|src|tools|trials|workers)\/[\w./-]*\w(?![\w<*{-])/g
  const gone = documents.flatMap((file) =>
    [...read(file).matchAll(path)]
      .filter(([name]) => !existsSync(join(root, name)))
      .map(([name]) => `${file}: ${name}`),
  )
  assert.deepEqual(gone, [])
})

test('each command of npm installs what it needs before it runs', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = Object.keys(scripts).filter((name) => !/^pre(?!pare)/.test(name))
  assert.deepEqual(
    commands.filter((name) => !scripts[`pre${name}`]?.startsWith('node local/prepare.cjs')),
    [],
  )
})

// The five minutes.

type Block = { language: string; text: string }

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({ language: match[1]!, text: match[2]! }))

const walk = section(readme, '## Five minutes to the first webhook')
const folder = mkdtempSync(join(tmpdir(), 'documents-'))
// So that the account which runs Postgres gets through, and nothing is left elsewhere.
chmodSync(folder, 0o711)
let service: TestService
let receiver: ChildProcess | undefined

beforeAll(async () => {
  service = await openTestService()
})
afterAll(async () => {
  receiver?.kill()
  rmSync(folder, { recursive: true })
  await service.close()
})

test('the README shows what npm start prints', () => {
  const shown = blocksOf(walk).find(({ language }) => language === 'text')!.text
  const shownAs = (name: string) => new RegExp(`^ {2}${name} {2,}(\\S+)$`, 'm').exec(shown)?.[1] ?? assert.fail(name)
  const printed = summary({
    baseUrl: shownAs('API'),
    dataDir: shownAs('Data'),
    mailPlace: shownAs('Mails'),
    adminToken: shownAs('Admin token'),
    demo: { org_id: shownAs('Demo organization'), api_key: shownAs('Its key') },
    metrics: ['api', 'workers'].map((name) => ({ name, url: shownAs(`Metrics, ${name}`) })),
    trustedHosts: [shownAs('Trusted hosts')],
  })
  assert.equal(`\n${shown}`, printed)
})

type Variables = Record<string, string>

const filled = (text: string, variables: Variables) =>
  text.replaceAll(/\$([A-Z]+)/g, (_, name: string) => variables[name] ?? assert.fail(`${name} is not set`))

/** A `curl` command of the README: the path, and the body as the shell would hand it over. */
function requestOf(command: string, variables: Variables) {
  const [, path, body] = /^curl \$API(\S+) -H "\$AUTH" -d '(.*)'\n$/s.exec(command) ?? assert.fail(command)
  return {
    path: filled(path!, variables),
    body: JSON.parse(filled(body!.replaceAll(`'$`, '$').replaceAll(`'"`, '"'), variables)),
  }
}

/** What an answer looks like, without what differs from one time to the next. */
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
    .replace(/^http:\/\/127.0.0.1:\d+\/$/, 'a receiver')
}

/** Starts the receiver of the README and returns the lines it prints. */
async function startReceiver(code: string, env: Variables): Promise<AsyncIterator<string>> {
  const file = join(folder, 'receiver.mjs')
  // It says when it listens: nothing else is changed.
  writeFileSync(file, code.replace(/\.listen\((.*)\)\n$/, ".listen($1, () => console.log('listening'))\n"))
  receiver = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(receiver, 'spawn')
  const lines = createInterface({ input: receiver.stdout! })[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'listening')
  return lines
}

test('the five minutes of the README end with a signed event.hold_expired', async () => {
  // The receiver compares the signature's time with its own clock.
  await service.clock.set(new Date())
  const { key } = await makeOrganization(service)
  const port = await freePort()
  const holdMs = Number(/^SOON=.*Date\.now\(\) \+ ([\d_]+)\)/m.exec(walk)?.[1]?.replace('_', ''))
  const variables: Variables = { SOON: ahead(service, holdMs / 60_000) }
  const blocks = blocksOf(walk)
  let lines: AsyncIterator<string> | undefined
  let record: { id: string; secret?: string } | undefined
  let requests = 0
  for (const [nth, { language, text }] of blocks.entries()) {
    if (language === 'js') lines = await startReceiver(text, { SECRET: record?.secret ?? '', PORT: String(port) })
    if (language !== 'sh') continue
    // `CALENDAR=cal_…`: a reader copies the id of the last answer.
    for (const [, name] of text.matchAll(/^([A-Z]+)=[a-z]{3}_[0-9a-z]{26}$/gm)) variables[name!] = record!.id
    const command = /^curl .*/ms.exec(text)?.[0]
    if (!command) continue
    const { path, body } = requestOf(command, variables)
    if (body.url) body.url = body.url.replace('4000', String(port))
    const answer = await service.call('POST', path, { key, body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    assert.equal(blocks[nth + 1]?.language, 'json', `the answer to ${path} is shown`)
    assert.deepEqual(shapeOf(answer.body), shapeOf(JSON.parse(blocks[nth + 1]!.text)))
    record = answer.body
    requests++
  }
  assert.equal(requests, 4)

  await service.drain()
  const created = (await lines!.next()).value
  assert.ok(created.startsWith(`event.hold_created genuine {"calendar_id":"${variables.CALENDAR}"`), created)
  await service.clock.advance(holdMs)
  await service.drain()
  const expired = { calendar_id: variables.CALENDAR, event_id: record!.id }
  assert.equal((await lines!.next()).value, `event.hold_expired genuine ${JSON.stringify(expired)}`)
  const shown = blocks
    .at(-1)!
    .text.split('\n')
    .map((line) => line.split(' {')[0])
  assert.deepEqual(shown, ['event.hold_created genuine', 'event.hold_expired genuine', ''])
})

test('the receiver of the README refuses what another secret signed, and what is old', async () => {
  const code = blocksOf(walk).find(({ language }) => language === 'js')!.text
  receiver?.kill()
  const port = await freePort()
  const secret = 'whsec_of-the-receiver'
  const lines = await startReceiver(code, { SECRET: secret, PORT: String(port) })
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
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: '{}' })
    assert.equal(answer.status, status)
    assert.equal((await lines.next()).value, `agent.created ${line} {}`)
  }
})

// What follows the five minutes.

/** The commands are the reader's, but that a refusal ends them and each answer has a line of its own. */
const shellFrame = `
set -euo pipefail
curl() { command curl --silent --show-error --fail "$@"; local status=$?; echo; return $status; }
`

test('the examples of the README run in their order and do what it says of them', async (t) => {
  const own = await openTestService()
  t.onTestFinished(() => own.close())
  const { key } = await makeOrganization(own)
  const agent = await makeAgent(own, key)
  const calendar = await makeCalendar(own, key, agent.id)
  const commands = blocksOf(section(readme, '## More in a few lines each')).map(({ text }) => text)
  const { stdout } = await promisify(execFile)('bash', ['-c', [shellFrame, ...commands].join('\n')], {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      API: own.baseUrl,
      AUTH: `Authorization: Bearer ${key}`,
      AGENT: agent.id,
      CALENDAR: calendar.id,
    },
  })
  const answers = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  const [series, occurrences, common, response, proposal, reachable, booking, subscription] = answers
  assert.equal(answers.length, 8)
  assert.deepEqual(series.recurrenceExdates, ['2026-12-08T09:00:00.000Z'])
  assert.equal(occurrences.total, 4)
  assert.equal(common.slots.length, 3)
  assert.equal(response.response, 'accept')
  assert.deepEqual([proposal.status, proposal.resolved_slot.id], ['confirmed', response.selected_slot_id])
  assert.deepEqual([reachable.total, reachable.data[0].name], [1, 'Robin'])
  assert.equal(booking.event.status, 'confirmed')
  assert.equal(subscription.status, 'active')

  await own.drain()
  const imported = await own.call('GET', `/v1/calendars/${subscription.calendar_id}/events`, { key })
  const titles = imported.body.data.map(({ title }: { title: string }) => title)
  assert.deepEqual(new Set(titles), new Set(['Intro call: Kim', 'Stand-up', 'Planning']))
  assert.equal(titles.length, 11)
})
