// The list of all that overlaps a window, over calendars.
import { z } from 'zod'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { cursorQuery } from '../shapes/cursor.ts'
import { listedIds } from '../shapes/fields.ts'
import { nextCursor, pageQuery } from '../shapes/lists.ts'
import { eventInstanceRecord } from './recordSchema.ts'
import { checkWindow } from './schema.ts'

const maxCalendars = 50
const maxEvents = 2_000

export const overlapQuery = z
  .strictObject({
    calendar_ids: listedIds('cal')
      .refine((ids) => ids.length <= maxCalendars, `must be at most ${maxCalendars}`)
      .meta({ description: `Separated by commas, at most ${maxCalendars}.` }),
    start: datetime.meta({ description: 'Leaves out what has ended by then.' }),
    end: laterDatetime.meta({
      description: 'Leaves out what starts then or later. At most 366 days after `start`.',
    }),
    limit: pageQuery({ max: maxEvents, usual: 200 }).shape.limit,
    cursor: cursorQuery,
  })
  .check(checkWindow)
export type OverlapQuery = z.infer<typeof overlapQuery>

export const overlapPage = z
  .object({
    data: z.array(eventInstanceRecord),
    next_cursor: nextCursor,
  })
  .meta({ id: 'EventPage' })
