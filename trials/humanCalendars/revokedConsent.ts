// Goal 8: a human ends their consent at the provider, and gives it again.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copiesOf } from './copies.ts'
import { consent } from './desk.ts'
import { type Goal, until } from './goal.ts'
import { openHuman } from './human.ts'
import { quickly, type Site } from './site.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const maxMs = 120_000

export const revokedConsent: Goal = {
  nth: 8,
  what: 'consent ended between two reads, and given again',
  goal: 'closed by the next read; one mail; 0 requests with that token after it; same ids, 0 double copies',
  rules: [
    {
      what: 'a copy whose connection is not active is not current',
      cuts: [
        { file: 'src/connections/sources.ts', from: "n.status = 'active' as is_active", instead: 'true as is_active' },
      ],
    },
  ],
  async run(site) {
    const { desk, agentId, calendarId, account } = await quickly(site, () =>
      openHuman(site, 'google', { isPublished: true }),
    )
    const startMs = Math.ceil(site.clock.now() / dayMs + 2) * dayMs
    const iso = (ms: number) => new Date(ms).toISOString()
    const make = (title: string) =>
      desk.ask('POST', `/v1/calendars/${calendarId}/events`, {
        ...{ title, start_time: iso(startMs), end_time: iso(startMs + hourMs) },
      })
    const ask = () => {
      const query = { start: iso(startMs + 2 * hourMs), end: iso(startMs + 4 * hourMs) }
      return desk.ask('GET', `/v1/agents/${agentId}/availability?${new URLSearchParams(query)}`)
    }
    const detail = () => desk.session('GET', `/v1/calendar-connections/${account.id}`)
    /** It fails once the consent has ended; the trial tests that. */
    const read = () => desk.session('POST', `/v1/calendar-connections/${account.id}/refresh`).catch(() => {})
    await make('before')
    const copies = () => copiesOf(site, account)
    await until('it is open, and the event is published', maxMs, async () => {
      return (await ask()).slots.length > 0 && (await copies()).length === 1
    })

    const mailsBefore = mailsTo(site, desk.email)
    const tokens = tokensOf(site, account.name)
    site.google.oauth.revokeGrants(account.name)
    await read()
    await until('the connection asks for its human', maxMs, async () => {
      return (await detail()).status === 'reauthorization_required'
    })
    const from = site.traffic.asked.length
    const closed = await ask()
    await make('meanwhile')
    await until('a mail has left', maxMs, async () => mailsTo(site, desk.email) > mailsBefore)
    await read()
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const requests = site.traffic.asked.slice(from).filter(({ authorization }) => tokens.has(authorization)).length
    const mails = mailsTo(site, desk.email) - mailsBefore

    site.google.oauth.consent.email = account.name
    const path = `/v1/calendar-connections/${account.id}/reauthorize`
    const id = await consent(site, desk, (await desk.session('POST', path, {})).authorization_url, account.name)
    await until('it is open again, and both are published', maxMs, async () => {
      return (await ask()).slots.length > 0 && (await copies()).length >= 2
    })
    const isSame = id === account.id && (await detail()).calendars[0].id === account.calendars[0]!.id
    const titles = (await copies()).map(({ title }) => title).sort()
    const isClosed = closed.slots.length === 0
    const isExact = titles.join() === 'before,meanwhile'
    return {
      isMet: isClosed && mails === 1 && requests === 0 && isSame && isExact,
      figures: `${isClosed ? 'closed' : 'OPEN'}; ${mails} mail; ${requests} requests; ${isSame ? 'same ids' : 'OTHER ids'}; copies: ${titles.join(', ')}`,
    }
  },
}

/** With which the account was read and written. */
const tokensOf = ({ traffic }: Site, name: string): ReadonlySet<string | undefined> =>
  new Set(
    traffic.asked
      .filter(({ path, body }) => body.includes(name) || path.includes(encodeURIComponent(name)))
      .flatMap(({ authorization }) => authorization ?? []),
  )

function mailsTo({ dataDir }: Site, email: string): number {
  const folder = join(dataDir, 'mail')
  if (!existsSync(folder)) return 0
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name), 'utf8').includes(email)).length
}
