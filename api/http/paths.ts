// Schemas of path parameters, and of a query with any parameters. A path parameter may be any text: a malformed identifier
// gets the same answer as an unknown one.
import { z } from 'zod'
import { idInput } from '../../src/shapes/fields.ts'
import type { Prefix } from '../../src/shapes/ids.ts'

const param = (prefix: Prefix) =>
  z
    .string()
    .pipe(z.transform((text: string) => text))
    .meta(idInput(prefix).meta() ?? {})

/** For links that people follow and calendars subscribe to: programs that pass a link on may add parameters to it. */
export const anyQuery = z.looseObject({})

export const idPath = (prefix: Prefix) => z.object({ id: param(prefix) })
export const agentPath = z.object({ agent_id: param('agt') })
export const calendarPath = z.object({ cal_id: param('cal') })
export const deliveryPath = z.object({ id: param('whk'), whd: param('whd') })
export const replayPath = z.object({ id: param('whk'), rpl: param('rpl') })
export const calendarEventPath = z.object({ cal_id: param('cal'), id: param('evt') })
