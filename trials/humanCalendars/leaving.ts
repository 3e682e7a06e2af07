// Goal 10: humans disconnect and accounts are deleted. Stored data is erased, and copies are removed or stay as requested.
import { copiesOf } from './copies.ts'
import { openDesk } from './desk.ts'
import { type Goal, seconds, until } from './goal.ts'
import { atRest, type Human, isoOf, openHuman } from './human.ts'
import { quickly, type Site } from './site.ts'

const eventCount = 50
const dayMs = 86_400_000
const hourMs = 3_600_000
const maxMs = 15 * 60_000
const awaitedMs = 180_000
const endMs = 60_000
const providers = ['google', 'microsoft', 'caldav'] as const

/** How a human leaves, and how many copies stay. */
type Way = 'disconnect' | 'disconnect and keep' | 'delete the account'

export const leaving: Goal = {
  nth: 10,
  what: 'humans disconnect, with and without their copies, and accounts are deleted',
  goal: '≤ 15 min: no row, no sealed token, channel stopped, token revoked, copies withdrawn as asked',
  rules: [
    {
      what: 'an ended connection is revoked at its provider',
      cuts: [
        {
          file: 'src/externalCalendars/revocations.ts',
          from: "return (await revokeToken(app, oauth, credentials.refreshToken)) === 'gone'",
          instead: 'return true',
        },
      ],
    },
    {
      what: 'an account is kept until what was published through it is withdrawn',
      cuts: [
        { file: 'src/connections/endedConnections.ts', from: 'n.credentials_sealed is not null\n', instead: 'false\n' },
      ],
    },
  ],
  async run(site, size) {
    const count = size.of(eventCount)
    // The emulator of Microsoft has one mailbox, so only one human at a time has copies there.
    const ways: { human: Human; way: Way }[] = []
    await quickly(site, async () => {
      for (const provider of providers) ways.push({ human: await publishing(site, provider, count), way: 'disconnect' })
      for (const provider of ['google', 'caldav'] as const) {
        ways.push({ human: await publishing(site, provider, count), way: 'disconnect and keep' })
        ways.push({ human: await publishing(site, provider, count), way: 'delete the account' })
      }
    })
    const copies = async ({ account }: Human) => (await copiesOf(site, account)).length
    await until('everything is published', 300_000, async () => {
      return (await Promise.all(ways.map(({ human }) => copies(human)))).every((found) => found === count)
    })
    await atRest(site)
    await until('each calendar has a channel', 60_000, async () => channelCount(site) >= 4)
    for (const { human, way } of ways) {
      const { desk, account } = human
      const path = `/v1/calendar-connections/${account.id}`
      if (way === 'disconnect') await desk.session('DELETE', path)
      if (way === 'disconnect and keep') await desk.session('DELETE', `${path}?keep_published=true`)
      if (way === 'delete the account') await desk.session('DELETE', '/v1/auth/account')
    }
    let last = ''
    const isGone = async () => {
      last = (await leftBehind(site, ways, count)).join(', ')
      return last === ''
    }
    const began = site.clock.now()
    await until('nothing is left', awaitedMs, isGone, 1_000).catch(async () => {
      // The rest of the time passes at once, for what waits until then.
      await site.clock.advance(site.sql, maxMs - awaitedMs - endMs)
      await until('nothing is left', endMs, isGone, 1_000).catch(() => {})
    })
    const tookMs = site.clock.now() - began
    const kept = await Promise.all(ways.filter(({ way }) => way !== 'disconnect').map(({ human }) => copies(human)))
    return {
      isMet: last === '' && tookMs <= maxMs,
      figures:
        last === '' ? `nothing is left after ${seconds(tookMs)}; kept as asked: ${kept.join(' + ')}` : `LEFT: ${last}`,
    }
  },
}

async function publishing(site: Site, provider: (typeof providers)[number], count: number): Promise<Human> {
  const human = await openHuman(site, provider, { desk: await openDesk(site), isPublished: true })
  const first = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
  for (let nth = 0; nth < count; nth++) {
    const times = { start_time: isoOf(first + nth * hourMs), end_time: isoOf(first + nth * hourMs + hourMs / 2) }
    await human.desk.ask('POST', `/v1/calendars/${human.calendarId}/events`, { title: `leaving-${nth}`, ...times })
  }
  return human
}

const channelCount = ({ google, microsoft }: Site) =>
  google.channels.living.size + microsoft.subscriptions.living().length

const tables = [
  ...['calendar_connections', 'external_calendars', 'external_busy', 'external_objects', 'connection_channels'],
  ...[
    'connection_revocations',
    'departing_connections',
    'availability_grants',
    'external_destinations',
    'publications',
  ],
]

/** Data that should have been removed but was not, and data that should have stayed but did not. */
async function leftBehind(site: Site, ways: readonly { human: Human; way: Way }[], count: number): Promise<string[]> {
  const found: string[] = []
  for (const table of tables) {
    const [row] = await site.sql<{ count: number }[]>`select count(*)::integer as count from ${site.sql(table)}`
    if (row!.count > 0) found.push(`${row!.count} ${table}`)
  }
  const channels = channelCount(site)
  if (channels > 0) found.push(`${channels} channels`)
  const tokens = site.google.oauth.refreshTokens().length
  if (tokens > 0) found.push(`${tokens} tokens that are not revoked`)
  for (const { human, way } of ways) {
    const { length } = await copiesOf(site, human.account)
    if (length !== (way === 'disconnect' ? 0 : count))
      found.push(`${length} copies at ${human.account.provider}: ${way}`)
  }
  return found
}
