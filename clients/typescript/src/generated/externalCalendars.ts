// Made from the API document by `npm run reference`. Do not edit.
import type { PagedCall } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ExternalCalendar } from './schemas.ts'

export type ListExternalCalendarsOptions = ReadOptions & {
  limit?: number
  offset?: number
}

export class ExternalCalendarsGroup extends Group {
  /**
   * List the calendars of a connection.
   *
   * The primary one first, then by name.
   *
   * `GET /v1/calendar-connections/{id}/external-calendars`
   */
  list(id: string, options?: ListExternalCalendarsOptions): PagedCall<ExternalCalendar, {
    data: ExternalCalendar[]
    /** All that match, on every page. */
    total: number
    limit: number
    offset: number
  }> {
    return this.sendPaged(operations.listExternalCalendars, { id }, undefined, options)
  }
}
