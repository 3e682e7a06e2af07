// The delta of a calendar view in the Microsoft emulator. Its window is fixed by the first request; a round has pages, some of
// them empty, and ends with the address of the next round.
import { type Item, itemsOf } from './microsoftCalendarItems.ts'
import type { Mailbox } from './microsoftCalendarMailbox.ts'

export type GraphAnswer = { status: number; body?: unknown; headers?: Record<string, string> }

export const graphError = (
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): GraphAnswer => ({
  status,
  body: { error: { code, message, innerError: { date: '2026-03-02T09:00:00', 'request-id': 'emulator' } } },
  ...(headers && { headers }),
})

type State = { calendar: string; fromMs: number; untilMs: number; since: number; generation: number }
type Round = { state: State; items: Item[]; at: number; seen: number; emptyLeft: number; isDoubled: boolean }

type Request = { calendar: string; url: URL; prefer: string }

/** Options of a test. */
type DeltaQuirks = {
  /** Empty pages before the items. */
  emptyPages: number
  /** The first item of a round comes again on its last page. */
  isDoubled: boolean
  /** Series come without their masters. */
  leavesOutMasters: boolean
}

const unsupported = ['$select', '$filter', '$orderby', '$expand', '$search', '$top', '$skip', '$count']

export function openDelta(mailbox: Mailbox, quirks: DeltaQuirks) {
  const rounds = new Map<string, Round>()
  let tokens = 0
  let generation = 1
  const states = new Map<string, State>()

  function changedItems(state: State, isImmutable: boolean): Item[] {
    const since = mailbox.changes.slice(state.since).filter(({ calendar }) => calendar === state.calendar)
    return [...new Set(since.map(({ id }) => id))].flatMap((id) => {
      const event = mailbox.events.get(id)
      const items = event ? itemsOf(mailbox, event, state, isImmutable) : []
      // Also objects that were never inside the window.
      return items.length > 0
        ? items
        : [{ '@odata.type': '#microsoft.graph.event', id, '@removed': { reason: 'deleted' } }]
    })
  }

  function allItems(state: State, isImmutable: boolean): Item[] {
    const events = [...mailbox.events.values()].filter(({ calendar, master }) => calendar === state.calendar && !master)
    const items = events.flatMap((event) => itemsOf(mailbox, event, state, isImmutable))
    return quirks.leavesOutMasters ? items.filter(({ type }) => type !== 'seriesMaster') : items
  }

  function page(base: string, round: Round, size: number): GraphAnswer {
    const context = { '@odata.context': `${base}/$metadata#Collection(event)` }
    const path = `${base}/me/calendars/${encodeURIComponent(round.state.calendar)}/calendarView/delta`
    const next = () => {
      const token = `skip${++tokens}`
      rounds.set(token, round)
      return `${path}?$skiptoken=${token}`
    }
    if (round.emptyLeft > 0) {
      round.emptyLeft -= 1
      return { status: 200, body: { ...context, '@odata.nextLink': next(), value: [] } }
    }
    const value = round.items.slice(round.at, round.at + size)
    round.at += value.length
    if (round.at < round.items.length) return { status: 200, body: { ...context, '@odata.nextLink': next(), value } }
    if (round.isDoubled && round.items.length > 0) value.push(round.items[0]!)
    const token = `delta${++tokens}`
    states.set(token, { ...round.state, since: round.seen })
    return { status: 200, body: { ...context, '@odata.deltaLink': `${path}?$deltatoken=${token}`, value } }
  }

  function answer({ calendar, url, prefer }: Request, base: string): GraphAnswer {
    const parameters = [...url.searchParams.keys()]
    const bad = parameters.find((name) => unsupported.includes(name.toLowerCase()))
    if (bad !== undefined) {
      const message = `The following parameters are not supported with change tracking over the 'CalendarView' resource: '${bad}'.`
      return graphError(400, 'ErrorInvalidUrlQuery', message)
    }
    const isImmutable = /IdType="ImmutableId"/i.test(prefer)
    const size = Math.min(1000, Number(/odata\.maxpagesize=(\d+)/i.exec(prefer)?.[1] ?? 10))
    const skip = url.searchParams.get('$skiptoken')
    if (skip !== null) {
      const round = rounds.get(skip)
      return round && round.state.generation === generation ? page(base, round, size) : lost()
    }
    const token = url.searchParams.get('$deltatoken')
    const seen = mailbox.changes.length
    const start = (state: State, items: Item[]) =>
      page(base, { state, items, at: 0, seen, emptyLeft: quirks.emptyPages, isDoubled: quirks.isDoubled }, size)
    if (token !== null) {
      const state = states.get(token)
      if (!state || state.generation !== generation || state.calendar !== calendar) return lost()
      return start(state, changedItems(state, isImmutable))
    }
    const [fromMs, untilMs] = ['startDateTime', 'endDateTime'].map((name) => {
      const key = parameters.find((one) => one.toLowerCase() === name.toLowerCase())
      return Date.parse(url.searchParams.get(key ?? '') ?? '')
    }) as [number, number]
    if (!(fromMs < untilMs)) {
      return graphError(
        400,
        'ErrorInvalidParameter',
        'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.',
      )
    }
    const state = { calendar, fromMs, untilMs, since: 0, generation }
    return start(state, allItems(state, isImmutable))
  }

  const lost = () =>
    graphError(
      410,
      'SyncStateNotFound',
      `The sync state generation is not found; generation=1;[highest=${generation}].`,
    )

  return {
    answer,
    /** All tokens so far are refused. */
    forget() {
      generation += 1
    },
  }
}
