// Lists in pages, the same for all tools.
import { z } from 'zod'

export const page = {
  limit: z.int().min(1).max(100).default(25),
  offset: z.int().min(0).default(0),
}

/** In the output schema. */
export const pageKeys = { total: 'integer', next_offset: 'integer?' } as const
