// The change feed as server-sent events: one event for each change.
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { ServiceError } from '../errors.ts'
import { shownTo } from '../outsideText/show.ts'
import { minuteMs } from '../shapes/durations.ts'
import { type Position, sealCursor } from './cursor.ts'
import type { Page, PageOptions } from './page.ts'
import { presentEntry } from './present.ts'
import type { Reader } from './reader.ts'
import { gathersFor } from './rules.ts'
import type { StreamQuery } from './schema.ts'
import { filterOf } from './scope.ts'
import { readOn, sentPosition, startOf } from './start.ts'
import { beginWait, type Wait } from './waits.ts'

const lastsMs = 10 * minuteMs
const everyMs = 15_000
const changesAtOnce = 100

/** Shows that the stream is alive. */
const comment = ': \n\n'

/** Throws before anything is sent, with the refusal that a page would get. A client that reconnects sends `lastEventId`. */
export async function openStream(
  app: App,
  actor: Actor,
  reader: Reader,
  query: StreamQuery,
  lastEventId: string | undefined,
): Promise<Readable> {
  const sent = lastEventId
    ? sentPosition(app, actor, lastEventId, 'Last-Event-ID')
    : sentPosition(app, actor, query.cursor, 'cursor')
  const filter = await filterOf(app, actor, query)
  const options = { filter, withPayload: query.payload === 'full', limit: changesAtOnce, isAnswer: false }
  const first = await readOn(app, actor, await startOf(app, actor, sent), options)
  const wait = await beginWait(app, actor, filter, reader.gone)
  const meter = openMinutes(app, reader)
  const begunAt = performance.now()
  const stream = Readable.from(eventsOf({ app, actor, reader, options, wait, meter }, first), { objectMode: false })
  // Also if nothing was ever read from it.
  stream.once('close', () => {
    wait.end()
    meter.end()
    reader.waited(performance.now() - begunAt)
  })
  return stream
}

type Stream = { app: App; actor: Actor; reader: Reader; options: PageOptions; wait: Wait; meter: Minutes }

async function* eventsOf(stream: Stream, first: Page): AsyncGenerator<string> {
  const { app, actor, reader, options, wait, meter } = stream
  const endsAt = app.clock.now().getTime() + lastsMs
  const cursorAt = (position: Position) => sealCursor(app, actor.orgId, position)
  let page = first
  yield comment
  try {
    for (;;) {
      let reached: Position | undefined
      for (const change of page.changes) {
        if ((await wait.ended()) || !(await meter.takeCall())) return yield bye(cursorAt(reached ?? page.start))
        reached = change === page.changes.at(-1) ? page.position : page.positionAfter(change)
        const entries = await shownTo(
          app,
          actor,
          change.entries.map((row) => presentEntry(app, row, actor.agentId !== undefined)),
        )
        yield eventOf('change', entries, cursorAt(reached))
      }
      if (!page.hasMore) {
        await pause(gathersFor(page.position, app.clock.now()))
        const leftMs = endsAt - app.clock.now().getTime()
        const { outcome, position } = await wait.sleep(page.position, Math.max(0, Math.min(leftMs, everyMs)))
        if (outcome === 'over' && leftMs > everyMs) yield comment
        else if (outcome !== 'woken') return yield bye(cursorAt(position))
        page = { ...page, position }
      }
      if (await wait.ended()) return yield bye(cursorAt(page.position))
      page = await readOn(app, actor, page.position, options)
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'cursor_gone') throw error
    yield eventOf('gone', reader.bodyOf(error))
  }
}

const eventOf = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The client connects again, from there. */
const bye = (cursor: string): string => eventOf('bye', {}, cursor)

type Minutes = ReturnType<typeof openMinutes>

/** One API call for each started minute in which a change was sent; the request itself has taken the first. */
function openMinutes({ clock }: App, reader: Reader) {
  const begunAt = clock.now().getTime()
  let paid: number | undefined
  return {
    /** False if none is left. */
    async takeCall(): Promise<boolean> {
      const minute = Math.floor((clock.now().getTime() - begunAt) / minuteMs)
      if (minute === paid) return true
      const isFirst = paid === undefined
      paid = minute
      return isFirst || reader.takeCall()
    },
    end() {
      if (paid === undefined) reader.giveBackCall()
    },
  }
}
