import { z } from 'zod'
import { environment } from '../../src/config.ts'
import { code, page, table } from './markdown.ts'

/** The text next to the schema, else the schema's own default. */
function unsetOf(schema: z.ZodType): string {
  const { unset } = schema.meta() as { unset?: string }
  if (unset !== undefined) return unset
  if (!(schema instanceof z.ZodDefault)) return 'none'
  const value = schema.def.defaultValue
  return Array.isArray(value) ? 'none' : code(String(value))
}

export const environmentVariables = (): string =>
  page(
    'Environment variables',
    '`src/config.ts`',
    'A process reads them once, when it starts. A wrong value stops it with one line that names the variable. `npm start` makes the required ones that are missing and keeps them under `DATA_DIR`.',
    table(
      ['Variable', 'When it is not set', 'Meaning'],
      Object.entries(environment.shape).map(([name, schema]) => [code(name), unsetOf(schema), schema.description!]),
    ),
    '`npm test` takes `DATABASE_URL` and `REDIS_URL` for its stores. Without them it runs its own and removes them.',
  )
