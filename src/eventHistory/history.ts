// The history of an event: who changed what, as long as the change feed keeps it.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { payloadText } from '../changeLog/moment.ts'
import { keptSince } from '../changeLog/rules.ts'
import { requireKnownEvent } from '../events/trash.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import { type List, listPage, type Page } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { type EntryRow, entriesPage, entriesTotal } from './queries.ts'
import { compareEntries, type Fields, isSettled, occurrenceOf, type Told } from './rules.ts'
import type { HistoryEntry } from './schema.ts'

/** Of older entries, read until each of the page has one to be compared with. */
const blockSize = 200

type Read = Told & { row: EntryRow }

/** Also of a deleted event, while it can be restored. */
export async function getEventHistory(
  app: App,
  actor: Actor,
  eventId: string,
  page: Page,
): Promise<List<HistoryEntry>> {
  const { orgId, id } = await requireKnownEvent(app, actor, eventId)
  const asked = { orgId, eventId: id, since: keptSince(actor.limits, app.clock.now()) }
  const read = async (stretch: Page) => mapInSlices(await entriesPage(app.sql, asked, stretch), (row) => open(app, row))
  const [entries, [count]] = await Promise.all([read(page), entriesTotal(app.sql, asked)])
  const shown = entries.length
  for (let isEnd = shown < page.limit; !isEnd && !isSettled(entries, shown); ) {
    const older = await read({ limit: blockSize, offset: page.offset + entries.length })
    entries.push(...older)
    isEnd = older.length < blockSize
  }
  const compared = compareEntries(entries, shown)
  const data = entries.slice(0, shown).map((entry, nth) => ({ ...present(entry), ...compared[nth]! }))
  return listPage(data, count?.total ?? 0, page)
}

function open(app: App, row: EntryRow): Read {
  const payload = JSON.parse(payloadText(app, { ...row, moment: null })) as { event?: Fields }
  return { row, type: row.type, event: payload.event }
}

function present({ row, ...told }: Read): Omit<HistoryEntry, 'changes'> {
  const occurrence = occurrenceOf(told)
  return {
    change_id: encodeId('chg', row.changeId),
    at: isoTime(row.createdAt),
    type: row.type,
    cause: row.cause as HistoryEntry['cause'],
    actor: row.actor as HistoryEntry['actor'],
    ...(occurrence !== undefined && { occurrence_start: occurrence }),
  }
}
