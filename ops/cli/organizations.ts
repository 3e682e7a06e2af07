// Commands about organizations and plans.

import { usageOf } from '../../src/export/usage.ts'
import { regenerateOrganizationKey } from '../../src/keys/organizationKey.ts'
import { listOrganizations, requireOrganization, updateOrganization } from '../../src/organizations/organizations.ts'
import { presentOrganization } from '../../src/organizations/present.ts'
import { organizationListQuery, updateOrganizationBody } from '../../src/organizations/schema.ts'
import { limitNames, plans, publicPlanIds } from '../../src/plans/plans.ts'
import { inPlainWords } from '../../src/shapes/wording.ts'
import { type Command, type Given, refusalOf, requestOf, requireWord, type Tools, UsageError } from './command.ts'
import { ownerIn, ownerOf } from './owner.ts'
import { record, table } from './text.ts'

export const organizationCommands: readonly Command[] = [
  {
    name: 'orgs list',
    what: 'Lists organizations, the newest first.',
    options: {
      email: { what: 'only those with this address', takes: 'address' },
      limit: { what: 'at most this many (50)', takes: 'n' },
      offset: { what: 'skip this many', takes: 'n' },
    },
    async run({ app }, { options: { email, limit, offset } }) {
      const query = organizationListQuery.safeParse({ email, limit, offset }, { error: inPlainWords })
      if (!query.success) throw new UsageError(`--${refusalOf(query.error)}`)
      const list = await listOrganizations(app, query.data)
      const rows = list.data.map((org) => [
        org.id,
        org.plan,
        org.is_waitlisted ? 'waitlisted' : '',
        org.email,
        org.name,
      ])
      return { json: list, text: `${table(['id', 'plan', 'state', 'email', 'name'], rows)}\n${list.total} in all` }
    },
  },
  {
    name: 'orgs show',
    words: '<org_…>',
    what: 'Shows an organization, its limits, and what it has used of them in this period.',
    async run(tools, given) {
      const shown = await showOrganization(tools, 'orgs show', requireWord(given, 0, 'organization'))
      return { json: shown, text: record({ ...shown, usage: shortUsage(shown.usage) }) }
    },
  },
  {
    name: 'orgs plan',
    words: `<org_…> <${publicPlanIds.join('|')}>`,
    what: 'Moves an organization to another plan. Every process applies it from the next request on.',
    more: `A custom plan has only the caps that you name here, of: ${limitNames.join(', ')}.`,
    needsRedis: true,
    options: {
      limit: { what: 'a cap of a custom plan; repeat it for each cap', takes: 'name=n', many: true },
      rate: { what: "requests per second of each key; `plan`: the plan's own rate", takes: 'n' },
    },
    async run(tools, given) {
      const id = requireWord(given, 0, 'organization')
      const asked = {
        plan: requireWord(given, 1, 'plan'),
        limits: limitsGiven(given),
        rate_limit_per_second: rateGiven(given),
      }
      const body = updateOrganizationBody.safeParse(asked, { error: inPlainWords })
      if (!body.success) throw new UsageError(refusalOf(body.error, 'the plan'))
      await updateOrganization(tools.app, requestOf(tools, 'orgs plan'), id, body.data)
      const shown = await showOrganization(tools, 'orgs plan', id)
      return { json: shown, text: record({ ...shown, usage: shortUsage(shown.usage) }) }
    },
  },
  {
    name: 'orgs rekey',
    words: '<org_…>',
    what: "Replaces the organization's key. The old one stops working at once; the new one is shown only here.",
    more: 'For a key that leaked while no one in the organization can sign in. Hand the new key over on a channel that you trust.',
    needsRedis: true,
    async run(tools, given) {
      const owner = await ownerOf(tools, 'orgs rekey', requireWord(given, 0, 'organization'))
      const minted = await regenerateOrganizationKey(tools.app, owner, {})
      return { json: minted, text: record(minted) }
    },
  },
  {
    name: 'plans',
    what: 'Shows the plans and their caps.',
    async run() {
      const names = publicPlanIds
      const cells = (of: (name: (typeof names)[number]) => number | null) => names.map((name) => of(name) ?? 'agreed')
      const rows = [
        ['requests per second', ...cells((name) => plans[name].requestsPerSecond)],
        ...limitNames.map((limit) => [
          limit,
          ...names.map((name) => plans[name].limits[limit] ?? (name === 'custom' ? 'agreed' : 'unlimited')),
        ]),
        ['attempts of a delivery', ...cells((name) => plans[name].retryScheduleSeconds.length + 1)],
      ]
      return { json: Object.fromEntries(names.map((name) => [name, plans[name]])), text: table(['', ...names], rows) }
    },
  },
]

async function showOrganization(tools: Tools, command: string, id: string) {
  const row = await requireOrganization(tools.app, id)
  const owner = ownerIn(tools, command, row)
  return {
    ...presentOrganization(row),
    pages: row.pagesClosedAt || row.isWaitlisted ? 'closed' : 'open',
    pages_closed_at: row.pagesClosedAt?.toISOString() ?? null,
    requests_per_second: row.rateLimitPerSecond ?? plans[row.plan].requestsPerSecond,
    limits: owner.limits,
    usage: await usageOf(tools.app, owner),
  }
}

/** `12 of 50` */
const shortUsage = (usage: object): object =>
  Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      const { used, limit } = (value ?? {}) as { used?: number; limit?: number | null }
      return [name, used === undefined ? value : `${used} of ${limit ?? 'any number'}`]
    }),
  )

function limitsGiven({ options }: Given): Record<string, number> | undefined {
  const given = options.limit as string[] | undefined
  if (!given) return undefined
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', amount = ''] = /^([a-z_]+)=(\d{1,9})$/.exec(text) ?? []
      if (!name) throw new UsageError(`--limit ${text}: expected name=n, as in events=1000`)
      return [name, Number(amount)]
    }),
  )
}

function rateGiven({ options: { rate } }: Given): number | null | undefined {
  if (rate === undefined) return undefined
  return rate === 'plan' ? null : Number(rate)
}
