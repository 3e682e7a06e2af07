// The parameters of paths. Any text is taken: a malformed identifier is answered like an unknown one.
import { z } from 'zod'
import type { Prefix } from '../../src/ids.ts'
import { idInput } from '../../src/wire.ts'

const param = (prefix: Prefix) =>
  z
    .string()
    .pipe(z.transform((text: string) => text))
    .meta(idInput(prefix).meta() ?? {})

export const idPath = (prefix: Prefix) => z.object({ id: param(prefix) })
export const agentPath = z.object({ agent_id: param('agt') })
export const calendarPath = z.object({ cal_id: param('cal') })
export const calendarEventPath = z.object({ cal_id: param('cal'), id: param('evt') })
