// Real CalDAV servers: what a human writes there is what we read. Skipped where they are not installed.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionTest } from '../../testing/connections.ts'
import { vcalendar, vevent } from '../../testing/feedServer.ts'

const isInstalled = (program: string) => spawnSync('which', [program]).status === 0
const login = { username: 'ada', password: 'correct horse' }
const basic = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`

type Server = { program: string; start(folder: string, port: number): ChildProcess; home: string }

const servers: Server[] = [
  {
    program: 'radicale',
    home: '/ada/',
    start(folder, port) {
      writeFileSync(join(folder, 'users'), `${login.username}:${login.password}\n`)
      const options = [
        ...['--server-hosts', `127.0.0.1:${port}`, '--storage-filesystem-folder', join(folder, 'data')],
        ...['--auth-type', 'htpasswd', '--auth-htpasswd-filename', join(folder, 'users')],
        ...['--auth-htpasswd-encryption', 'plain', '--rights-type', 'owner_only'],
      ]
      return spawn('radicale', ['--config', '', ...options], { stdio: 'ignore' })
    },
  },
  {
    program: 'xandikos',
    home: '/ada/calendars/',
    start(folder, port) {
      const options = ['--current-user-principal', '/ada/', '--autocreate', '--defaults']
      return spawn('xandikos', ['-d', folder, '-l', '127.0.0.1', '-p', String(port), ...options], { stdio: 'ignore' })
    },
  },
]

const test = connectionTest()

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function untilUp(origin: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(origin).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not start')
}

for (const { program, start, home } of servers) {
  const skip = !isInstalled(program) && !process.env.CI
  const name = skip ? `${program} (not installed: apt-get install ${program})` : program
  test(`${name}: what the human changes there is read`, { skip, timeout: 60_000 }, async ({ service, desk }) => {
    const folder = mkdtempSync(join(tmpdir(), 'caldav-'))
    const port = await freePort()
    const child = start(folder, port)
    const origin = `http://127.0.0.1:${port}`
    const write = async (method: string, path: string, body?: string) => {
      const headers = { authorization: basic, ...(body !== undefined && { 'content-type': 'text/calendar' }) }
      const answer = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) })
      assert.ok(answer.status < 400, `${method} ${path} ${answer.status} ${await answer.text()}`)
    }
    try {
      await untilUp(origin)
      await write('MKCALENDAR', `${home}private/`)
      const object = (from: string, to: string) =>
        vcalendar(vevent('a', { DTSTART: from, DTEND: to, SUMMARY: 'Secret' }))
      await write('PUT', `${home}private/a.ics`, object('20260303T090000Z', '20260303T100000Z'))
      const made = await desk.connect({ server_url: origin, ...login })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const calendar = made.body.calendars.find((one: { name: string }) => /private/i.test(one.name))
      assert.ok(calendar?.availability_readable, JSON.stringify(made.body.calendars))
      const path = `/v1/calendar-connections/${made.body.id}`
      await desk.ok('PATCH', path, { selected_external_calendar_ids: [calendar.id] })
      const grant = { external_calendar_ids: [calendar.id], audience: 'all_org_agents' }
      await desk.ok('POST', '/v1/availability-grants', grant, 201)
      const busy = async () => {
        await service.clock.advance(6 * 60_000)
        await service.drain()
        const query = 'start=2026-03-03T08:00:00Z&end=2026-03-03T12:00:00Z&include_busy=true'
        const { body } = await service.call('GET', `/v1/calendars/${desk.calendar.id}/availability?${query}`, {
          key: desk.key,
        })
        assert.equal(body.availability_state, 'complete')
        return body.busy.map(({ start: from }: { start: string }) => from.slice(11, 16))
      }
      assert.deepEqual(await busy(), ['09:00'])
      await write('PUT', `${home}private/a.ics`, object('20260303T100000Z', '20260303T110000Z'))
      await write(
        'PUT',
        `${home}private/b%20c.ics`,
        object('20260303T080000Z', '20260303T083000Z').replace('UID:a', 'UID:b'),
      )
      assert.deepEqual(await busy(), ['08:00', '10:00'])
      await write('DELETE', `${home}private/a.ics`)
      assert.deepEqual(await busy(), ['08:00'])
    } finally {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
