// Each program of `examples/` against the service. The receiver runs in documents.quickstart.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeCalendar } from '../src/testing/factories.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { read, root } from './documents/markdown.ts'

const test = serviceTest()
  .extend('calendar', perFile, async ({ service, key }) => {
    // The programs count from the time of their machine.
    await service.clock.set(new Date())
    return makeCalendar(service, key)
  })
  // Starts a program; its lines as they come.
  .extend('start', perFile, ({ service, key, calendar }) => (name: string, ...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'examples', name), ...args], {
      env: {
        PATH: process.env.PATH,
        AGENT_CALENDAR_URL: service.baseUrl,
        AGENT_CALENDAR_KEY: key,
        CALENDAR: calendar.id,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  })

async function all(lines: AsyncIterator<string>): Promise<string[]> {
  const found: string[] = []
  for (let next = await lines.next(); !next.done; next = await lines.next()) found.push(next.value)
  return found
}

test('examples/README.md names each program', () => {
  const text = read('examples/README.md')
  for (const name of globSync('*.mjs', { cwd: join(root, 'examples') })) assert.ok(text.includes(`](${name})`), name)
})

test('the agent holds a free time, then confirms or releases it', async ({ start, call, key }) => {
  for (const [answer, status] of [
    ['yes', 'confirmed'],
    ['no', 'cancelled'],
  ] as const) {
    const [held, ended] = await all(start('hold-and-confirm.mjs', answer).lines)
    const time = /^held (.*)$/.exec(held!)![1]!
    assert.equal(ended, `${status} ${time}`)
    const { data } = (await call('GET', `/v1/calendars?include=all`, { key })).body
    const events = await call('GET', `/v1/calendars/${data[0].id}/events`, { key })
    const event = events.body.data.find((one: { startTime: string; status: string }) => one.startTime === time)
    assert.equal(event.status, status)
  }
})

test('the follower prints a change', async ({ start, call, key, calendar }) => {
  const { child, lines } = start('follow-changes.mjs')
  assert.equal((await lines.next()).value, 'following')
  const body = { title: 'Seen', start_time: '2030-01-01T09:00:00Z', end_time: '2030-01-01T10:00:00Z' }
  const event = (await call('POST', `/v1/calendars/${calendar.id}/events`, { key, body })).body
  const line: string = (await lines.next()).value!
  assert.equal(line.split(' ')[0], 'event.created')
  assert.equal(JSON.parse(line.slice(line.indexOf(' '))).event.id, event.id)
  child.kill()
})

test('a slot of a booking page is booked', async ({ start, call, key, calendar }) => {
  const body = { calendar_id: calendar.id, title: 'Intro' }
  const page = (await call('POST', '/v1/booking-pages', { key, body })).body
  const [line] = await all(start('book.mjs', page.booking_url, 'Kim', 'kim@example.com').lines)
  assert.match(line!, /^confirmed \d{4}-/)
})

test('the tools make an event', async ({ start, calendar }) => {
  const [count, event] = await all(start('mcp-agent.mjs').lines)
  assert.match(count!, /^\d+ tools$/)
  const answer = JSON.parse(event!)
  assert.deepEqual([answer.event.title, answer.event.calendar_id], ['Review', calendar.id])
})
