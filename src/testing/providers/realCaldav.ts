// Real CalDAV servers, each with an account `ada`. Those that start by themselves are skipped where they are not installed; larger
// ones, which somebody has set up and started, are named in `CALDAV_SERVERS` (docs/calendar-providers.md).
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const login = { username: 'ada', password: 'correct horse' }

/** The test data; leftovers of an earlier run are removed first. */
const madeCalendars = ['private', 'team']

/** An entry of `CALDAV_SERVERS`; `home` is the path of the collection in which calendars are made. */
type Running = { name: string; server_url: string; home: string; username: string; password: string }
const running: Running[] = JSON.parse(process.env.CALDAV_SERVERS ?? '[]')

type Program = {
  program: string
  start(folder: string, port: number): ChildProcess
  home: string
  /** From now on the account has no other rights in the calendar. */
  allow?: (folder: string, calendar: string, rights: 'read' | 'nothing') => void
}

const rights = (...[calendar, permissions]: [calendar?: string, permissions?: string]) =>
  [
    ...(calendar ? ['[one]', 'user: ada', `collection: ada/${calendar}(/.*)?`, `permissions: ${permissions}`] : []),
    ...['[root]', 'user: .+', 'collection:', 'permissions: R'],
    ...['[own]', 'user: ada', 'collection: ada(/.*)?', 'permissions: RrWw', ''],
  ].join('\n')

const programs: Program[] = [
  {
    program: 'radicale',
    home: '/ada/',
    start(folder, port) {
      writeFileSync(join(folder, 'users'), `${login.username}:${login.password}\n`)
      writeFileSync(join(folder, 'rights'), rights())
      const options = [
        ...['--server-hosts', `127.0.0.1:${port}`, '--storage-filesystem-folder', join(folder, 'data')],
        ...['--auth-type', 'htpasswd', '--auth-htpasswd-filename', join(folder, 'users')],
        ...['--auth-htpasswd-encryption', 'plain'],
        ...['--rights-type', 'from_file', '--rights-file', join(folder, 'rights')],
      ]
      return spawn('radicale', ['--config', '', ...options], { stdio: 'ignore' })
    },
    // It reads the file for every request.
    allow: (folder, calendar, allowed) =>
      writeFileSync(join(folder, 'rights'), rights(calendar, allowed === 'read' ? 'r' : '')),
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

export type RealCaldav = {
  login: { server_url: string; username: string; password: string }
  home: string
  ask(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Response>
  /** As `ask`; the answer must be a success. */
  write(method: string, path: string, body?: string): Promise<void>
  /** The objects of a calendar, by name. */
  objects(calendar: string): Promise<Map<string, string>>
  /** The account keeps no other rights in the calendar. Where `hasRights`. */
  allow?: (calendar: string, rights: 'read' | 'nothing') => void
  close(): void
}

/** How a test of each is called, whether it is skipped, and whether the server has `allow`. */
export const realCaldavs = [
  ...programs.map((one) => {
    const isInstalled = spawnSync('which', [one.program]).status === 0
    return {
      hasRights: one.allow !== undefined,
      name: isInstalled ? one.program : `${one.program} (not installed: apt-get install ${one.program})`,
      skip: !isInstalled && !process.env.CI,
      open: () => openProgram(one),
    }
  }),
  ...running.map(({ name, home, ...account }) => ({
    hasRights: false,
    name,
    skip: false,
    open: () => openRunning(account, home),
  })),
]

async function openProgram({ start, home, allow }: Program): Promise<RealCaldav> {
  const folder = mkdtempSync(join(tmpdir(), 'caldav-'))
  const port = await freePort()
  const child = start(folder, port)
  const origin = `http://127.0.0.1:${port}`
  await untilUp(origin)
  return {
    ...talkTo({ server_url: origin, ...login }, home),
    ...(allow && { allow: (...what) => allow(folder, ...what) }),
    close() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openRunning(account: RealCaldav['login'], home: string): Promise<RealCaldav> {
  const server = talkTo(account, home)
  for (const name of madeCalendars) await server.ask('DELETE', `${home}${name}/`)
  // Cyrus keeps deleted data under the second of its deletion, and fails when the name is taken.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  return { ...server, close: () => undefined }
}

function talkTo(account: RealCaldav['login'], home: string): Omit<RealCaldav, 'close'> {
  const { origin } = new URL(account.server_url)
  const basic = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`
  const ask: RealCaldav['ask'] = async (method, path, body, headers = {}) => {
    const send = () =>
      fetch(origin + path, {
        method,
        headers: { authorization: basic, ...(body !== undefined && { 'content-type': 'text/calendar' }), ...headers },
        ...(body !== undefined && { body }),
      })
    // A busy Radicale resets connections.
    return ['GET', 'PUT', 'PROPFIND'].includes(method) ? send().catch(send) : send()
  }
  return {
    login: account,
    home,
    ask,
    async write(method, path, body) {
      const answer = await ask(method, path, body)
      assert.ok(answer.status < 400, `${method} ${path} ${answer.status} ${await answer.text()}`)
    },
    async objects(calendar) {
      const listing = await ask('PROPFIND', `${home}${calendar}/`, undefined, { depth: '1' })
      const names = [...(await listing.text()).matchAll(/href>[^<]*\/([^/<]+\.ics)</g)].map(([, name]) => name!)
      const each = names.map(async (name) => {
        const got = await ask('GET', `${home}${calendar}/${name}`)
        return [name, await got.text()] as const
      })
      return new Map(await Promise.all(each))
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function untilUp(origin: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await fetch(origin).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not start')
}
