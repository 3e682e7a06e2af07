// Groups of holds on the same ten calendars at the same times, their calendars listed in opposite orders, beside single holds: a group is
// held on as many calendars as it needs, or on none, and no two holds that stand meet, nor two members of groups.
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { askOnce, isDone, listAll } from './asking.ts'
import type { Findings } from './findings.ts'
import { any, iso, type Kind, type Site, timesFrom } from './kind.ts'
import type { Snapshot } from './snapshot.ts'
import type { Tenant } from './tenants.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Group = any

const calendarCount = 10
const yearsAheadMs = 1_000 * dayMs
/** So long all groups want one time. */
const meetMs = 3_000

/** The state that was acknowledged last. */
type Told = Map<string, 'create' | 'confirmed' | 'released'>

export function openGroups({ tenants: [busy] }: Pick<Site, 'tenants'>, openedAt = Date.now()): Kind {
  const told: Told = new Map()
  const base = Math.ceil((openedAt + yearsAheadMs) / minuteMs) * minuteMs
  const calendarIds = busy!.openIds.slice(0, calendarCount)
  const time = () => {
    const start = base + Math.floor((Date.now() - openedAt) / meetMs) * minuteMs
    return timesFrom(start, minuteMs / 2)
  }
  const hold = () => ({
    ...{ ...time(), hold_priority: Math.floor(Math.random() * 5) },
    hold_expires_at: iso(Date.now() + (35 + 15 * Math.random()) * 1000),
  })
  return {
    weight: 16,
    async tell() {
      if (Math.random() < 0.2) return placeSingle(busy!, any(calendarIds), hold())
      const title = `Group of ${busy!.mark}`
      const body = { title, ...hold(), renewable: true, requirements: anyRequirements(calendarIds) }
      const made = await askOnce(busy!.api, 'POST', '/v1/hold-groups', body)
      if (!isDone(made)) return
      told.set(made.body.id, 'create')
      await end(busy!, made.body, told)
    },
    async judge(findings, snapshot) {
      const groups = await listAll(busy!.api, '/v1/hold-groups')
      judgeGroups(groups, told, findings)
      judgeTold(groups, snapshot, findings)
      await judgeStanding(busy!, { calendarIds, base, groups }, findings)
    },
  }
}

/** Three or four calendars, forwards or backwards: one requirement each, or one for all of them. */
function anyRequirements(calendarIds: readonly string[]): object[] {
  const first = Math.floor(Math.random() * calendarIds.length)
  const step = any([1, 3])
  const forwards = [0, 1, 2, 3].map((nth) => calendarIds[(first + nth * step) % calendarIds.length]!)
  const ids = Math.random() < 0.5 ? forwards : forwards.toReversed()
  if (Math.random() < 0.3) return [{ calendar_ids: ids, need: 2, spare: 1 }]
  return ids.slice(0, any([3, 4])).map((id) => ({ calendar_ids: [id] }))
}

const placeSingle = async ({ api, mark }: Tenant, calendarId: string, hold: object) =>
  void (await api.call('POST', `/v1/calendars/${calendarId}/events`, {
    ...{ title: `Single of ${mark}`, status: 'hold', reminders: [], ...hold },
  }))

/** It is confirmed, released, extended or left alone. */
async function end({ api }: Tenant, { id, hold_expires_at }: Group, told: Told): Promise<void> {
  const way = any(['confirm', 'release', 'renew', 'confirm', 'release', 'nothing'])
  if (way === 'nothing') return
  const until = iso(Date.parse(hold_expires_at) + 5_000)
  const done = await askOnce(
    api,
    'PUT',
    `/v1/hold-groups/${id}/${way}`,
    way === 'renew' ? { hold_expires_at: until } : undefined,
  )
  if (isDone(done) && way !== 'renew') told.set(id, way === 'confirm' ? 'confirmed' : 'released')
}

const count = (members: readonly { status: string }[], status: string) =>
  members.filter((member) => member.status === status).length

function judgeGroups(groups: readonly Group[], told: Told, findings: Findings): void {
  const byId = new Map(groups.map((group) => [group.id, group]))
  for (const { id, status, requirements } of groups) {
    for (const { need, members } of requirements) {
      const [held, confirmed] = [count(members, 'hold'), count(members, 'confirmed')]
      const isWhole =
        status === 'held'
          ? held >= need && confirmed === 0
          : held === 0 && confirmed === (status === 'confirmed' ? need : 0)
      if (!isWhole)
        findings.add('half', `${id} is ${status}: of ${need} needed ${held} are held and ${confirmed} confirmed`)
    }
  }
  for (const [id, what] of told) {
    const status = byId.get(id)?.status
    if (what === 'create' ? !status : status !== what)
      findings.add('lost', `${id}: it was acknowledged (${what}), it is ${status}`)
  }
}

/** An expiry is told within this time. */
const toldWithinMs = 2_000

/** Its creation is told once, and its end once. Groups are listed after the snapshot, and some expire in between. */
function judgeTold(groups: readonly Group[], { at, changes }: Snapshot, findings: Findings): void {
  const types = Map.groupBy(changes, ({ resourceId }) => resourceId)
  for (const { id, status, hold_expires_at } of groups) {
    const mayBeNew = status === 'expired' && Date.parse(hold_expires_at) > at.getTime() - toldWithinMs
    const found = (types.get(id) ?? []).map(({ type }) => type)
    const wanted = ['hold_group.created', ...(status === 'held' ? [] : [`hold_group.${status}`])]
    if (mayBeNew) wanted.splice(Math.max(1, found.length))
    const kind = found.length > wanted.length ? 'twice' : 'lost'
    if (found.join() !== wanted.join()) findings.add(kind, `${id} is ${status}, and the feed tells ${found.join(', ')}`)
  }
}

type Standing = { calendarIds: readonly string[]; base: number; groups: readonly Group[] }

async function judgeStanding(
  { api }: Tenant,
  { calendarIds, base, groups }: Standing,
  findings: Findings,
): Promise<void> {
  const known = new Set(groups.map(({ id }) => id))
  for (const calendarId of calendarIds) {
    const path = `/v1/calendars/${calendarId}/events?start_after=${iso(base)}`
    const events = await listAll(api, `${path}&start_before=${iso(base + 365 * dayMs)}`)
    const standing = events.filter(({ status }) => status === 'hold' || status === 'confirmed')
    for (const [start, ones] of Map.groupBy(standing, ({ startTime }) => startTime)) {
      const ids = ones.map(({ id }) => id).join(', ')
      const holds = ones.filter(({ status }) => status === 'hold')
      const members = ones.filter(({ holdGroupId }) => holdGroupId)
      // A single hold may meet what is confirmed; a group wants its time free.
      if (holds.length > 1 || members.length > 1) findings.add('twice', `${calendarId} is held at ${start} by ${ids}`)
    }
    for (const { id, holdGroupId } of standing)
      if (holdGroupId && !known.has(holdGroupId))
        findings.add('half', `${id} is held for ${holdGroupId}, which is not there`)
  }
}
