// The parameters of paths, and the query that takes any. Any text is taken: a malformed identifier is answered like an unknown one.
import { z } from 'zod'
import { idInput } from '../../src/shapes/fields.ts'
import type { Prefix } from '../../src/shapes/ids.ts'

const param = (prefix: Prefix) =>
  z
    .string()
    .pipe(z.transform((text: string) => text))
    .meta(idInput(prefix).meta() ?? {})

/** For what people follow links to, and calendars subscribe to: whoever passes a link on may add parameters to it. */
export const anyQuery = z.looseObject({})

export const idPath = (prefix: Prefix) => z.object({ id: param(prefix) })
export const agentPath = z.object({ agent_id: param('agt') })
export const calendarPath = z.object({ cal_id: param('cal') })
export const calendarEventPath = z.object({ cal_id: param('cal'), id: param('evt') })
