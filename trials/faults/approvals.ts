// Requests that a person decides, twice at the same moment: each is decided at most once, and its change happens exactly when it was
// approved, once.
import { randomUUID } from 'node:crypto'
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { openAgentKeys } from './agentKeys.ts'
import { askOnce, isDone, listAll, untilAnswered } from './asking.ts'
import type { Caller } from './client.ts'
import { any, iso, type Kind, openPile, type Site, timesFrom } from './kind.ts'
import type { Tenant } from './tenants.ts'

/** `tag`: of the event that it makes. `told`: the states in the answers to its decisions. */
type Asked = { tenant: Tenant; id: string; tag: string; told: string[] }

const aheadMs = 500 * dayMs
const farAhead = () => iso(Date.now() + aheadMs - dayMs)
let slot = 0

export function openApprovals({ client }: Pick<Site, 'client'>): Kind {
  const pile = openPile<Asked>()
  const keys = openAgentKeys(client)
  const guarded = new Map<string, Promise<Caller | undefined>>()
  const keyOf = (tenant: Tenant) => {
    const make = async () => (await keys.make(tenant, { approval: { on: 'all', approver: 'session' } }))?.caller
    const made = guarded.get(tenant.orgId) ?? make()
    guarded.set(tenant.orgId, made)
    return made
  }
  return {
    weight: 6,
    async tell(tenant) {
      const caller = await keyOf(tenant)
      if (!caller) return void guarded.delete(tenant.orgId)
      const tag = randomUUID()
      const start = Date.now() + aheadMs + slot++ * minuteMs
      const times = timesFrom(start, 1_000)
      const event = { title: `Asked by ${tenant.mark}`, reminders: [], metadata: { tag }, ...times }
      const waits = await askOnce(caller, 'POST', `/v1/calendars/${tenant.home}/events`, event)
      if (waits?.status !== 202) return
      const asked: Asked = { tenant, id: waits.body.approval.id, tag, told: [] }
      pile.add(asked)
      await Promise.all(['approve', any(['approve', 'reject'])].map((verb) => decide(asked, verb)))
    },
    async judge(findings, { changes }) {
      const byId = Map.groupBy(changes, ({ resourceId }) => resourceId)
      for (const { tenant, id, tag, told } of pile.take()) {
        const { status } = await tenant.api.require('GET', `/v1/approvals/${id}`)
        const all = await listAll(tenant.api, `/v1/calendars/${tenant.home}/events?start_after=${farAhead()}`)
        const made = all.filter(({ metadata }) => metadata.tag === tag)
        const wanted = status === 'approved' ? 1 : 0
        const kind = made.length > wanted ? 'twice' : 'lost'
        if (made.length !== wanted) findings.add(kind, `${id} is ${status} and made ${made.length} events`)
        if (told.length > 1) findings.add('twice', `${id} was decided ${told.length} times: ${told.join(', ')}`)
        if (told.some((one) => one !== status)) findings.add('lost', `${id} was ${told.join(', ')}, and is ${status}`)
        const types = (byId.get(id) ?? []).map(({ type }) => type).join(', ')
        const decided = status === 'pending' ? [] : ['approval.decided']
        if (types !== ['approval.requested', ...decided].join(', '))
          findings.add('half', `${id} is ${status}; told: ${types}`)
      }
    },
  }
}

/** By the session of a person. The repetition of a decision whose answer was lost is refused. */
async function decide({ tenant, id, told }: Asked, verb: string): Promise<void> {
  const answer = await untilAnswered(() => tenant.console.call('POST', `/v1/approvals/${id}/${verb}`, {}))
  if (isDone(answer)) told.push(answer.body.status)
}
