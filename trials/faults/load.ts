// A steady load: stories begin at a fixed rate, independent of the service, and with each a visit by some
// organization. A story makes moments that come due within the run.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Load, startSteadily } from '../world/steadily.ts'
import { type Door, routes, tools } from './doors.ts'
import { useWebhook } from './hooks.ts'
import { hasId } from './identity.ts'
import { any, type Kind } from './kind.ts'
import { type Change, isAnswered, type Ledger, type TaggedEdits } from './ledger.ts'
import type { Tenant } from './tenants.ts'
import { localZone, visit, visitByTool } from './visits.ts'

type World = { ledger: Ledger; tenants: readonly Tenant[]; kinds: readonly Kind[] }
type Story = (teller: Teller) => Promise<void>

const maxAtOnce = 300
/** Of a request with a key. */
const maxTries = 30

/** `byRouteOnly`: no tool does all of it. */
type Weighted = { weight: number; tell: Story; byRouteOnly?: true }

const stories: readonly Weighted[] = [
  { weight: 30, tell: async ({ create }) => void (await create(moment(2 + 6 * Math.random()))) },
  {
    weight: 10,
    tell: async ({ create }) => void (await create({ ...moment(62 + 6 * Math.random()), reminders: [1] })),
  },
  {
    // Its first start does not fire, its second one does.
    weight: 10,
    tell: async ({ create, change }) => {
      const event = await create(moment(4))
      await pause(500)
      if (event) await change(event, 'update', moment(6))
    },
  },
  {
    weight: 10,
    tell: async ({ create, change, mark }) => {
      const event = await create({ ...moment(3600), status: 'tentative' })
      if (!event || !(await change(event, 'update', { title: `Renamed by ${mark}` }))) return
      await pause(300)
      await change(event, 'delete')
    },
  },
  {
    weight: 15,
    tell: async ({ create, change }) => {
      const hold = await create(holdAt(4 + 2 * Math.random(), 40))
      await pause(700 * Math.random())
      if (hold) await change(hold, 'confirm')
    },
  },
  {
    weight: 10,
    tell: async ({ create, change }) => {
      const hold = await create(holdAt(farAhead(), 40))
      await pause(700 * Math.random())
      if (hold) await change(hold, 'release')
    },
  },
  { weight: 10, tell: async ({ createOnce }) => createOnce(moment(yearAhead + farAhead())) },
  { weight: 10, tell: async ({ create }) => void (await create(holdAt(farAhead(), 30 + 15 * Math.random()))) },
  {
    weight: 10,
    byRouteOnly: true,
    tell: async ({ create, editTagged }) => {
      const event = await create({ ...moment(3600), status: 'tentative' })
      if (event) await editTagged(event)
    },
  },
  { weight: 8, byRouteOnly: true, tell: ({ useHook }) => useHook() },
  {
    // Only this story uses these times: a refusal means that a request whose answer did not arrive took them.
    weight: 10,
    tell: async ({ create, change }) => {
      const event = await create({ ...moment(farAhead()), require_free: true })
      await pause(300)
      if (event) await change(event, 'update', { ...moment(farAhead()), require_free: true })
    },
  },
  {
    // A row that a dry run left behind would refuse the event.
    weight: 5,
    byRouteOnly: true,
    tell: async ({ tryOut, create, sameCalendar }) => {
      const event = { ...moment(farAhead()), require_free: true }
      const calendar = sameCalendar()
      await tryOut(event, calendar)
      await create(event, calendar)
    },
  },
  {
    // The second hold pre-empts the first.
    weight: 5,
    tell: async ({ create, sameCalendar }) => {
      const at = farAhead()
      const calendar = sameCalendar()
      await create(holdAt(at, 60), calendar)
      const winner = holdAt(at, 31 + 10 * Math.random())
      await create({ ...winner, hold_priority: 5 }, calendar)
    },
  },
]

/** In seconds. Requests with a key have this time for themselves. */
const yearAhead = 366 * 86_400
let slot = 0
/** Seconds from now; a time of its own for each, so that a hold that should stay meets no other. */
const farAhead = () => 86_400 + 60 * slot++

/** Some as a local time of a zone: the event must be at the same moment. */
const inSeconds = (seconds: number): string => {
  const at = new Date(Date.now() + seconds * 1000).toISOString()
  return Math.random() < localShare ? at.replace('Z', `Z[${localZone}]`) : at
}
const localShare = 0.1
const moment = (startsIn: number) => ({
  start_time: inSeconds(startsIn),
  end_time: inSeconds(startsIn + 1 + 2 * Math.random()),
})
const holdAt = (startsIn: number, expiresIn: number) => ({
  ...moment(startsIn),
  status: 'hold',
  hold_expires_at: inSeconds(expiresIn),
})

type Placed = { id: string; calendarId: string; etag?: string | undefined }
type Teller = {
  tenant: Tenant
  mark: string
  create(body: Record<string, unknown>, calendarId?: string): Promise<Placed | undefined>
  /** As a dry run. */
  tryOut(body: object, calendarId: string): Promise<void>
  /** With a key, repeated until there is an answer. */
  createOnce(body: { start_time: string }): Promise<void>
  /** Two edits at once, both with the tag of its creation, each repeated until there is an answer. */
  editTagged(event: Placed): Promise<void>
  change(event: Placed, change: Exclude<Change, 'create'>, body?: Record<string, unknown>): Promise<boolean>
  sameCalendar(): string
  useHook(): Promise<void>
}

/** `keyed`: any of them serves a request with a key. */
type Doors = { usual: Door; keyed: readonly Door[] }

function openTeller(tenant: Tenant, ledger: Ledger, { usual, keyed: keyedDoors }: Doors): Teller {
  const { api, mark, openIds } = tenant
  const anyCalendar = () => any(openIds)
  return {
    tenant,
    mark,
    sameCalendar: anyCalendar,
    useHook: () => useWebhook(tenant, ledger.hooks),
    async create(body, calendarId = anyCalendar()) {
      const event = { title: `Fault test of ${mark}`, reminders: [], ...body }
      const { status, id, etag } = await usual.create(api, { calendarId, event })
      return ledger.note(id, 'create', status) ? { id: id!, calendarId, etag } : undefined
    },
    async tryOut(body, calendarId) {
      const event = { title: `Fault test of ${mark}`, reminders: [], ...body }
      await api.call('POST', `/v1/calendars/${calendarId}/events?dry_run=true`, event)
    },
    async createOnce(body) {
      const event = { title: `Fault test of ${mark}`, reminders: [], ...body }
      const keyed = { calendarId: anyCalendar(), event, key: randomUUID() }
      const door = any(keyedDoors)
      const start = body.start_time.replace(/\[.*/, '')
      for (let tries = 1; tries <= maxTries; tries++) {
        const { status, id } = await door.create(api, keyed)
        const isKnown = isAnswered(status)
        if (isKnown) ledger.note(id, 'create', status)
        ledger.once.set(start, isKnown ? id : undefined)
        if (isKnown) return
        await pause(500)
      }
    },
    async editTagged({ id, calendarId, etag }) {
      const edits: TaggedEdits = { asked: 2, answered: 0, done: 0 }
      ledger.tagged.set(id, edits)
      const edit = async (title: string) => {
        for (let tries = 1; tries <= maxTries; tries++) {
          const path = `/v1/calendars/${calendarId}/events/${id}`
          const { status } = await api.call('PATCH', path, { title }, hasId(id), { 'if-match': etag! })
          if (isAnswered(status)) edits.answered++
          if (ledger.note(id, 'update', status)) edits.done++
          if (isAnswered(status)) return
          await pause(500)
        }
      }
      await Promise.all([edit(`First edit by ${mark}`), edit(`Second edit by ${mark}`)])
    },
    async change({ id, calendarId }, change, body) {
      const { status } = await usual.change(api, { id, calendarId, change, body })
      return ledger.note(id, change, status)
    },
  }
}

function anyOf(known: readonly Weighted[]): Story {
  let at = Math.random() * known.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, tell } of known) {
    at -= weight
    if (at <= 0) return tell
  }
  return known[0]!.tell
}

/** Half of the changes are the first organization's, so that they meet on its calendars. */
const busyShare = 0.5

export type LoadWanted = { storiesPerSecond: number; isOverMcp: boolean }

const asStory = ({ weight, tell }: Kind): Weighted => ({
  weight,
  byRouteOnly: true,
  tell: ({ tenant }) => tell(tenant),
})

export function startLoad({ tenants, ledger, kinds }: World, { storiesPerSecond, isOverMcp }: LoadWanted): Load {
  const doors = isOverMcp ? { usual: tools, keyed: [tools] } : { usual: routes, keyed: [routes, tools] }
  const tellers = tenants.map((tenant) => openTeller(tenant, ledger, doors))
  const known = [...stories, ...kinds.map(asStory)].filter(({ byRouteOnly }) => !(isOverMcp && byRouteOnly))
  const tellStory = () => anyOf(known)(Math.random() < busyShare ? tellers[0]! : any(tellers))
  const ask = isOverMcp ? visitByTool : visit
  return startSteadily(storiesPerSecond, [tellStory, () => ask(any(tenants))], maxAtOnce)
}
