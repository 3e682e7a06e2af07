// The envelope of every list, and the page a caller asks for.
import { z } from 'zod'

export type Page = { limit: number; offset: number }
export type List<Item> = { data: Item[]; total: number; limit: number; offset: number }

const whole = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, 'expected a whole number')
  .transform(Number)

export const pageQuery = ({ max = 200, usual = 50 } = {}) =>
  z.strictObject({
    limit: whole
      .pipe(z.int().min(1).max(max))
      .default(usual)
      .meta({ override: { type: 'integer', minimum: 1, maximum: max, default: usual } }),
    offset: whole
      .pipe(z.int().min(0))
      .default(0)
      .meta({ override: { type: 'integer', minimum: 0, default: 0 } }),
  })

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
