// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { Change } from './schemas.ts'

export type ListChangesOptions = ReadOptions & {
  /** The cursor of an earlier answer, or `oldest` for the oldest change that is kept. Without it: from now on. */
  cursor?: string
  /** Seconds to wait for the first change, if nothing has changed yet. */
  wait?: number
  /** The most changes in an answer; it ends earlier at 512 KB of payloads. One change may have several entries. */
  limit?: number
  /** Only these types, separated by commas, at most 50. */
  types?: string | readonly string[]
  /** Only changes of these calendars, deleted ones too; at most 50. */
  calendar_ids?: string | readonly string[]
  /** Only changes of these agents and of their calendars; at most 50. */
  agent_ids?: string | readonly string[]
  /** `none` leaves out `payload`. */
  payload?: "full" | "none"
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export type StreamChangesOptions = ReadOptions & {
  /** The cursor of an earlier answer, or `oldest` for the oldest change that is kept. Without it: from now on. */
  cursor?: string
  /** Only these types, separated by commas, at most 50. */
  types?: string | readonly string[]
  /** Only changes of these calendars, deleted ones too; at most 50. */
  calendar_ids?: string | readonly string[]
  /** Only changes of these agents and of their calendars; at most 50. */
  agent_ids?: string | readonly string[]
  /** `none` leaves out `payload`. */
  payload?: "full" | "none"
  /** Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it. */
  outside_text?: "full" | "fenced" | "hidden"
}

export class ChangesGroup extends Group {
  /**
   * Read what has changed, or wait for it.
   *
   * Every change in the order in which it happened, page by page: send `cursor` with the next request, always the one of the last answer. Without a cursor the answer is empty, and its cursor is of now. Each request of one cursor may have other filters, and asking again with a cursor is safe.
   *
   * `wait` answers with the first change that comes. A wait that ends empty after 20 seconds or more is no API call. At most 5 requests of one key wait at once.
   *
   * An agent key reads the changes of its agent and of its calendars, but no proposals. Changes are kept for 3 days, on paid plans for 30. A cursor that is older is `cursor_gone`: take `resync.cursor`, read the lists, then follow that cursor, and nothing is missed.
   *
   * `GET /v1/changes`
   */
  list(options?: ListChangesOptions): Call<{
    data: Change[]
    /** Send it with the next request, also if `data` is empty. */
    cursor: string
    /** More changes are waiting: ask again at once. */
    has_more: boolean
    /** Older changes are no longer kept. */
    kept_since: string
  }> {
    return this.send(operations.listChanges, {}, undefined, options)
  }

  /**
   * Follow what changes as server-sent events.
   *
   * One event `change` for each change: `id` is its cursor, `data` the list of its entries. A comment every 15 seconds shows that the stream is alive. After 10 minutes it ends with `bye`; connect again with the last id, in `Last-Event-ID` or as `cursor`. A cursor that is no longer valid is 410 before the stream begins, and the event `gone` with the same body later. A stream counts as one request that waits, and costs one API call for each minute in which a change was sent.
   *
   * `GET /v1/changes/stream`
   */
  openStream(options?: StreamChangesOptions): Call<ReadableStream<Uint8Array>> {
    return this.send(operations.streamChanges, {}, undefined, options)
  }
}
