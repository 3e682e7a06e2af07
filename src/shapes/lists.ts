// The envelope of every list, and the page a caller asks for.
import { z } from 'zod'
import { cursorQuery } from './cursor.ts'

export type Page = { limit: number; offset: number }
export type List<Item> = { data: Item[]; total: number; limit: number; offset: number }

const whole = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, 'expected a whole number')
  .transform(Number)

const offset = whole.pipe(z.int().min(0))
const shownOffset = { override: { type: 'integer', minimum: 0, default: 0 } } as const

export const pageQuery = ({ max = 200, usual = 50 } = {}) =>
  z.strictObject({
    limit: whole
      .pipe(z.int().min(1).max(max))
      .default(usual)
      .meta({ override: { type: 'integer', minimum: 1, maximum: max, default: usual } }),
    offset: offset.default(0).meta(shownOffset),
  })

/** For lists that can be read by offset or by cursor. The offset is 0 unless it is given. */
export const offsetOrCursor = { offset: offset.optional().meta(shownOffset), cursor: cursorQuery }

export function checkCursor({ value, issues }: z.core.ParsePayload<{ offset?: unknown; cursor?: unknown }>) {
  if (value.offset === undefined || value.cursor === undefined) return
  issues.push({ code: 'custom', path: ['offset'], message: 'cannot be given with cursor', input: value.offset })
}

/** Of the answers of such lists. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page; null on the last one.', example: null })

export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    total: z.int().meta({ description: 'All that match, on every page.', example: 1 }),
    limit: z.int().meta({ example: 50 }),
    offset: z.int().meta({ example: 0 }),
  })

export const listPage = <Item>(data: Item[], total: number, page: Page): List<Item> => ({
  data,
  total,
  limit: page.limit,
  offset: page.offset,
})
