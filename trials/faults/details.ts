// Events with a place, a call, labels and the like, edited again and again: they read as they were written last, and as the webhooks told.
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { askOnce, isDone } from './asking.ts'
import { any, type Kind, openPile, timesFrom } from './kind.ts'
import { eventIdOf } from './moments.ts'
import type { Tenant } from './tenants.ts'

type Details = Record<string, unknown>

/** `wanted`: what may be there; more than one if the last answer did not come. */
type Detailed = { tenant: Tenant; id: string; calendarId: string; wanted: Details[] }

const aheadMs = 600 * dayMs
const edits = 3
let slot = 0

/** Null clears. A value that is the default is not shown. */
const values: Record<string, (mark: string) => unknown> = {
  location: (mark) => any([null, `Room ${slot}`, `Hall of ${mark}, “Süd”`]),
  conference: () => any([null, { url: `https://call.example/${slot}`, provider: 'Example', pin: `${slot}` }]),
  transparency: () => any(['opaque', 'transparent']),
  visibility: () => any(['default', 'private']),
  labels: () => any([[], ['red'], ['travel', `trip ${slot}`]]),
  color: () => any([null, 'teal', 'crimson']),
  links: () =>
    any([[], [{ url: `https://files.example/${slot}.pdf`, title: `Plan ${slot}`, type: 'application/pdf' }]]),
}
const names = Object.keys(values)
const isShown = (value: unknown) =>
  value !== null && value !== 'opaque' && value !== 'default' && !(Array.isArray(value) && value.length === 0)

const anyDetails = (mark: string): Details =>
  Object.fromEntries(names.filter(() => Math.random() < 0.5).map((name) => [name, values[name]!(mark)]))

const shown = (details: Details): Details =>
  Object.fromEntries(
    names.filter((name) => name in details && isShown(details[name])).map((name) => [name, details[name]]),
  )

const spelled = (details: Details): string => JSON.stringify(Object.entries(shown(details)))

export function openDetails(): Kind {
  const pile = openPile<Detailed>()
  return {
    weight: 6,
    async tell(tenant) {
      const start = Date.now() + aheadMs + slot++ * minuteMs
      const times = timesFrom(start, 1_000)
      const calendarId = any(tenant.openIds)
      const path = `/v1/calendars/${calendarId}/events`
      let written = anyDetails(tenant.mark)
      const event = { title: `Details of ${tenant.mark}`, reminders: [], ...times, ...written }
      const made = await askOnce(tenant.api, 'POST', path, event)
      if (!isDone(made)) return
      const detailed: Detailed = { tenant, calendarId, id: made.body.id, wanted: [written] }
      pile.add(detailed)
      for (let nth = 0; nth < edits; nth++) {
        const edit = { title: `Details ${nth} of ${tenant.mark}`, ...anyDetails(tenant.mark) }
        const told = await askOnce(tenant.api, 'PATCH', `${path}/${detailed.id}`, edit)
        const next = { ...written, ...edit }
        detailed.wanted = told ? [isDone(told) ? next : written] : [written, next]
        if (!told) return
        written = detailed.wanted[0]!
      }
    },
    async judge(findings, { deliveries }) {
      const told = Map.groupBy(deliveries, eventIdOf)
      for (const { tenant, id, calendarId, wanted } of pile.take()) {
        const { status, body: event } = await tenant.api.call('GET', `/v1/calendars/${calendarId}/events/${id}`)
        if (status === 404) {
          findings.add('lost', `${id}: the acknowledged details are gone`)
          continue
        }
        const found = spelled(event)
        if (!wanted.some((one) => spelled(one) === found))
          findings.add('lost', `${id} has ${found}, not ${wanted.map(spelled).join(' or ')}`)
        const changes = (told.get(id) ?? []).filter(({ payload }) => payload.event !== undefined)
        const last = changes.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).at(-1)
        if (!last || spelled(last.payload.event) !== found)
          findings.add('half', `${id} has ${found}, and ${last?.id} tells otherwise`)
      }
    },
  }
}
