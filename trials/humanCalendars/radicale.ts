// A real CalDAV server with humans who have calendars there, behind a door that is as slow as the other providers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../local/ports.ts'
import type { Opened } from '../world/opened.ts'
import { findProgram, startServer } from '../world/programs.ts'
import { openFront } from './front.ts'
import type { Traffic } from './traffic.ts'

export type Radicale = Awaited<ReturnType<typeof openRadicale>>

const password = 'correct horse of a human'
const users = Array.from({ length: 400 }, (_, nth) => `human${nth}`)

export async function openRadicale({ dataDir, onClose }: Opened, traffic: Traffic) {
  const port = await freePort()
  const usersFile = join(dataDir, 'radicale.users')
  writeFileSync(usersFile, users.map((name) => `${name}:${password}\n`).join(''))
  const options = {
    'server-hosts': `127.0.0.1:${port}`,
    'storage-filesystem-folder': join(dataDir, 'radicale'),
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': usersFile,
    'auth-htpasswd-encryption': 'plain',
    'rights-type': 'owner_only',
  }
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const logFile = join(dataDir, 'radicale.log')
  const server = await startServer(findProgram('radicale', 'radicale'), ['--config', '', ...words], { port, logFile })
  onClose(() => server.stop())
  const origin = await openFront(port, traffic, onClose)
  let made = 0

  /** Past the door. */
  async function send(user: string, method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const answer = await fetch(`http://127.0.0.1:${port}/${user}/${path}`, {
      method,
      headers: { authorization, 'content-type': 'text/calendar', ...headers },
      ...(body !== undefined && { body }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  async function ask(...[user, method, path, body, headers]: Parameters<typeof send>) {
    const { status, text } = await send(user, method, path, body, headers)
    if (status >= 400) throw new Error(`radicale: ${method} ${path}: ${status} ${text}`)
    return text
  }

  return {
    origin,
    password,
    ask,
    /** A human with a calendar. Returns their name. */
    async addUser(): Promise<string> {
      const user = users[made++]
      if (!user) throw new Error('there are no more humans at the CalDAV server')
      await ask(user, 'MKCALENDAR', 'calendar/')
      return user
    },
    async put(user: string, name: string, start: Date, end: Date): Promise<void> {
      const time = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
      const times = `DTSTAMP:${time(start)}\r\nDTSTART:${time(start)}\r\nDTEND:${time(end)}`
      const vevent = `BEGIN:VEVENT\r\nUID:${name}\r\n${times}\r\nSUMMARY:Secret of ${user}\r\nEND:VEVENT`
      const object = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//trial//EN\r\n${vevent}\r\nEND:VCALENDAR\r\n`
      await ask(user, 'PUT', `calendar/${name}.ics`, object)
    },
    /** The texts of all objects, without those that go meanwhile. */
    async objects(user: string): Promise<string[]> {
      const listing = await ask(user, 'PROPFIND', 'calendar/', undefined, { depth: '1' })
      const names = [...listing.matchAll(/href>[^<]*\/([^/<]+\.ics)</g)].map(([, name]) => name!)
      const texts: string[] = []
      for (const name of names) {
        const { status, text } = await send(user, 'GET', `calendar/${name}`)
        if (status === 200) texts.push(text)
        else if (status !== 404) throw new Error(`radicale: GET ${name}: ${status} ${text}`)
      }
      return texts
    },
  }
}
