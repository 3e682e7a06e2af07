// Reading the change feed: a page from a cursor, or the first change that comes.
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { isRefused, refusalOf } from '../accounts/callerAccess.ts'
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { keptSince } from '../changeLog/rules.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { sealCursor } from './cursor.ts'
import type { Page, PageOptions } from './page.ts'
import { presentEntry } from './present.ts'
import type { Reader } from './reader.ts'
import { gathersFor, isFree } from './rules.ts'
import type { ChangesQuery, changePage } from './schema.ts'
import { filterOf } from './scope.ts'
import { readOn, sentPosition, startOf } from './start.ts'
import { beginWait, type Wait } from './waits.ts'

export async function readChanges(
  app: App,
  actor: Actor,
  reader: Reader,
  query: ChangesQuery,
): Promise<z.infer<typeof changePage>> {
  const sent = sentPosition(app, actor, query.cursor, 'cursor')
  const filter = await filterOf(app, actor, query)
  const options = { filter, withPayload: query.payload === 'full', limit: query.limit, isAnswer: query.wait === 0 }
  const start = await startOf(app, actor, sent)
  if (query.wait > 0) await pause(gathersFor(start, app.clock.now()))
  const first = await readOn(app, actor, start, options)
  const isAnswer = query.wait === 0 || first.changes.length > 0
  const page = isAnswer ? first : await readLater(app, actor, reader, first, options, query.wait * 1_000)
  return {
    data: await mapInSlices(
      page.changes.flatMap(({ entries }) => entries),
      (row) => presentEntry(app, row, actor.agentId !== undefined),
    ),
    cursor: sealCursor(app, actor.orgId, page.position),
    has_more: page.hasMore,
    kept_since: isoTime(keptSince(actor.limits, app.clock.now())),
  }
}

/** Waits for the first page with a change, `ms` at most. */
async function readLater(
  app: App,
  actor: Actor,
  reader: Reader,
  empty: Page,
  options: PageOptions,
  ms: number,
): Promise<Page> {
  const begunAt = app.clock.now().getTime()
  const wait = await beginWait(app, actor, options.filter, reader.gone)
  try {
    for (let page = empty; ; ) {
      const waitedMs = app.clock.now().getTime() - begunAt
      // A filter that matches little has not reached the end of the new entries yet.
      if (!page.hasMore) {
        const { isOver, position } = await sleep(wait, reader, page, Math.max(0, ms - waitedMs))
        page = { ...page, position }
        if (isOver) return giveBackIfFree(app, reader, page, begunAt)
      } else if (waitedMs >= ms) return page
      page = await readOn(app, actor, page.position, options)
      if (page.changes.length > 0) return observeDelay(app, page)
    }
  } finally {
    wait.end()
  }
}

async function sleep(wait: Wait, reader: Reader, page: Page, ms: number) {
  const from = performance.now()
  const { outcome, position } = await wait.sleep(page.position, ms)
  reader.waited(performance.now() - from)
  if (isRefused(outcome)) throw refusalOf(outcome)
  return { isOver: outcome !== 'woken', position }
}

function giveBackIfFree(app: App, reader: Reader, page: Page, begunAt: number): Page {
  if (isFree(app.clock.now().getTime() - begunAt)) reader.giveBackCall()
  return page
}

function observeDelay(app: App, page: Page): Page {
  const happenedAt = page.changes[0]!.entries[0]!.createdAt.getTime()
  app.metrics.feedDelay.observe(Math.max(0, app.clock.now().getTime() - happenedAt) / 1_000)
  return page
}
