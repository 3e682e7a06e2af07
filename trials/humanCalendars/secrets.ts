// Goal 11: data of a human appear nowhere: neither in logs, traces, Redis and the database, nor in answers to keys.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { copiesOf } from './copies.ts'
import { consent, openDesk } from './desk.ts'
import { type Goal, until } from './goal.ts'
import { askAbout, atRest, type Human, isoOf, openHuman } from './human.ts'
import type { Site } from './site.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const title = 'Marked title of a human'
const calendarName = 'Marked calendar of a human'
const wrongPassword = 'marked-password-that-is-wrong'
const providers = ['google', 'microsoft', 'caldav'] as const

/** A secret, by its kind. */
type Secrets = Map<string, string>

type Lived = { humans: Human[]; links: { id: string; setup_url: string }[] }

export const secrets: Goal = {
  nth: 11,
  what: 'all logs, traces, Redis and the database after a run with marked titles, names, tokens and passwords',
  goal: '0 findings; keys see no account, name or id of a provider',
  rules: [
    {
      what: 'requests are logged and traced by the patterns of their routes, not by their paths',
      cuts: [
        {
          file: 'api/server.ts',
          from: 'app.log.debug({ request_id: requestId, ...labels, seconds }',
          instead: 'app.log.debug({ request_id: requestId, ...labels, seconds, path: this.req.url }',
        },
      ],
    },
    {
      what: 'passwords and tokens are sealed',
      cuts: [
        {
          file: 'src/sealing/sealer.ts',
          from: '    seal(context, text) {\n',
          instead:
            "    seal(context, text) {\n      if (context.startsWith('calendar_connections.')) return Buffer.from(text)\n",
        },
        {
          file: 'src/sealing/sealer.ts',
          from: '    unseal(context, bytes) {\n',
          instead:
            "    unseal(context, bytes) {\n      if (context.startsWith('calendar_connections.')) return Buffer.from(bytes).toString()\n",
        },
      ],
    },
  ],
  async run(site) {
    const redis = await watchRedis(site)
    const lived = await live(site)
    const marked = secretsOf(site, lived)
    // The last spans leave within five seconds.
    await pause(6_000)
    const places: [string, string][] = [
      ...logsOf(site),
      ['traces', site.traces()],
      ['redis', redis.text()],
      ...(await tablesOf(site)),
    ]
    const answers = await answersToKeys(lived)
    redis.close()
    const findings = [...places, ...answers].flatMap(([place, text]) =>
      [...marked].flatMap(([secret, what]) => (isIn(text, secret) ? [`${what} in ${place}`] : [])),
    )
    const sizes = (all: [string, string][]) =>
      `${Math.round(all.reduce((sum, [, text]) => sum + text.length, 0) / 1024)} KB`
    const isTraced = site.traces().length > 10_000 && redis.text().length > 1_000
    return {
      isMet: findings.length === 0 && isTraced,
      figures: `${findings.length} findings of ${marked.size} secrets in ${places.length} places (${sizes(places)}; traces ${sizes([['', site.traces()]])}, Redis ${sizes([['', redis.text()]])}) and ${answers.length} answers`,
      notes: [...new Set(findings)].slice(0, 20),
    }
  },
}

/** Humans connect, are read, published for, refused and asked again. */
async function live(site: Site): Promise<Lived> {
  const humans: Human[] = []
  const links: Lived['links'] = []
  const desk = await openDesk(site)
  const day = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
  for (const provider of providers) {
    const human = await openHuman(site, provider, { desk, isPublished: true })
    humans.push(human)
    const { remote } = human.account.calendars[0]!
    const [start, end] = [isoOf(day), isoOf(day + hourMs)]
    if (provider === 'google') {
      site.google.calendarOf(remote)!.summary = calendarName
      site.google.addEvent(remote, start, end, { summary: title })
    } else if (provider === 'microsoft') {
      site.microsoft.mailbox.calendars.get(remote)!.name = calendarName
      site.microsoft.mailbox.add(remote, { start, end, subject: title })
    } else await site.radicale.put(human.account.name, 'marked', new Date(day), new Date(day + hourMs))
    const times = { start_time: isoOf(day + 2 * hourMs), end_time: isoOf(day + 3 * hourMs) }
    await desk.ask('POST', `/v1/calendars/${human.calendarId}/events`, { title: 'Ours', ...times })
    await until('it is published', 60_000, async () => (await copiesOf(site, human.account)).length === 2)
    await desk.session('POST', `/v1/calendar-connections/${human.account.id}/refresh`)
    const link = await desk.ask('POST', `/v1/calendars/${human.calendarId}/connection-links`, {})
    links.push(link)
    await fetch(site.baseUrls[0] + new URL(link.setup_url).pathname)
  }
  const password = { server_url: site.radicale.origin, username: humans[2]!.account.name, password: wrongPassword }
  await desk.session('POST', '/v1/calendar-connections/caldav', password).catch(() => {})
  // Everything fails once, also with answers that repeat the request.
  site.traffic.fate = () => 'fail'
  for (const { account } of humans) {
    await desk.session('POST', `/v1/calendar-connections/${account.id}/refresh`).catch(() => {})
  }
  site.traffic.fate = () => 'pass'
  const [{ account }] = humans as [Human]
  site.google.oauth.revokeGrants(account.name)
  const path = `/v1/calendar-connections/${account.id}`
  await desk.session('POST', `${path}/refresh`).catch(() => {})
  await until('the connection asks for its human', 120_000, async () => {
    return (await desk.session('GET', path)).status === 'reauthorization_required'
  })
  site.google.oauth.consent.email = account.name
  await consent(site, desk, (await desk.session('POST', `${path}/reauthorize`, {})).authorization_url, account.name)
  await desk.session('POST', `${path}/refresh`)
  await atRest(site)
  return { humans, links }
}

function secretsOf(site: Site, { humans, links }: Lived): Secrets {
  const found: Secrets = new Map([
    [title, 'a title'],
    ['Secret of human', 'a title'],
    [calendarName, 'the name of a calendar'],
    [wrongPassword, 'a wrong password'],
    [site.radicale.password, 'a password'],
  ])
  for (const { account } of humans) {
    if (account.provider !== 'caldav') found.set(account.name, 'the name of an account')
    else found.set(`/${account.name}/`, 'the name of an account')
  }
  for (const { setup_url: url } of links) found.set(url.split('/').at(-1)!, 'the secret of a link')
  for (const token of site.google.oauth.refreshTokens()) found.set(token, 'a refresh token')
  for (const { authorization, path, body } of site.traffic.asked) {
    const token = authorization?.split(' ')[1]
    if (token) found.set(token, 'an access token')
    if (!/\/token(\?|$)/.test(path)) continue
    const form = new URLSearchParams(body)
    for (const name of ['refresh_token', 'code', 'code_verifier', 'client_secret']) {
      const value = form.get(name)
      if (value) found.set(value, `a ${name}`)
    }
  }
  return found
}

/** As it is, as JSON and addresses write it, and as Postgres writes bytes. */
const isIn = (text: string, secret: string): boolean =>
  [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64'),
  ].some((form) => text.includes(form))

const logsOf = ({ dataDir }: Site): [string, string][] =>
  readdirSync(dataDir)
    .filter((name) => /^(api|worker|postgres|redis).*\.log$/.test(name))
    .map((name) => [name, readFileSync(join(dataDir, name), 'utf8')])

/** Every row of every table. */
async function tablesOf({ sql }: Site): Promise<[string, string][]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  const texts: [string, string][] = []
  for (const { name } of tables) {
    const [row] = await sql<{ text: string | null }[]>`select string_agg(t::text, ' ') as text from ${sql(name)} t`
    texts.push([`table ${name}`, row!.text ?? ''])
  }
  return texts
}

/** Everything that is sent to Redis. */
async function watchRedis(site: Site) {
  const redis = new Redis(site.store('redis').url)
  const monitor = await redis.monitor()
  const said: string[] = []
  monitor.on('monitor', (_time: string, words: string[]) => said.push(words.join(' ')))
  return {
    text: () => said.join('\n'),
    close() {
      monitor.disconnect()
      redis.disconnect()
    },
  }
}

const listsOfKeys = ['agents', 'calendars', 'audit-log', 'webhooks', 'changes', 'usage', 'keys', 'plans']

/** All answers to an agent's key that concern a human. */
async function answersToKeys({ humans, links }: Lived): Promise<[string, string][]> {
  const texts: [string, string][] = []
  for (const human of humans) {
    const { desk, agentId, calendarId } = human
    const startMs = Math.ceil(Date.now() / dayMs + 1) * dayMs
    const paths = [
      ...listsOfKeys,
      ...[`agents/${agentId}`, `agents/${agentId}/events`, `calendars/${calendarId}`],
      ...[`calendars/${calendarId}/events`, `calendars/${calendarId}/context`],
      ...links.map(({ id }) => `connection-links/${id}`),
    ]
    for (const path of paths) {
      const answer = await desk.ask('GET', `/v1/${path}`)
      texts.push([`GET ${path} by a key`, JSON.stringify(answer)])
    }
    const free = await askAbout(human, startMs, startMs + 7 * dayMs, { include_busy: 'true' })
    texts.push(['availability by a key', JSON.stringify(free)])
    for (const times of [5, 6]) {
      const body = {
        title: 'Ours',
        start_time: isoOf(startMs + times * hourMs),
        end_time: isoOf(startMs + times * hourMs + 600_000),
      }
      const event = await desk.ask('POST', `/v1/calendars/${calendarId}/events`, body)
      texts.push(['a new event', JSON.stringify(event)])
    }
  }
  return texts
}
