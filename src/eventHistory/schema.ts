import { z } from 'zod'
import { outsideField } from '../actors/outsideText.ts'
import { changeEntry } from '../changeFeed/schema.ts'
import { timestamp } from '../shapes/datetimes.ts'
import { exampleId } from '../shapes/fields.ts'

const { change_id, at, cause, actor } = changeEntry.shape

const historyChange = z.object({
  field: z.string().meta({ description: 'A key of the event record.', example: 'title' }),
  from: z.unknown().meta({ description: 'Null if the record did not have it.', example: 'Planning' }),
  to: z.unknown().meta({ example: 'Planning, an hour later' }),
})

export const historyEntry = z
  .object({
    change_id,
    at,
    type: z.string().meta({ description: 'As in the change feed.', example: 'event.updated' }),
    cause,
    actor,
    occurrence_start: timestamp.optional().meta({
      description: 'Only of a change of one occurrence: the start that the series gives it.',
    }),
    changes: z
      .array(historyChange)
      .nullable()
      .meta({ description: 'By name; `[]` for a creation and a deletion. Null with `incomplete`.' }),
    incomplete: z.literal(true).optional().meta({ description: 'The entry before it is not kept any more.' }),
    outside: outsideField,
  })
  .meta({
    id: 'EventHistoryEntry',
    example: {
      change_id: exampleId('chg'),
      at: '2026-11-20T08:30:00.000Z',
      type: 'event.updated',
      cause: 'api',
      actor: { agent_id: exampleId('agt'), key_prefix: 'svc_ak_5Jx1q8Zt0bW3r' },
      changes: [{ field: 'title', from: 'Planning', to: 'Planning, an hour later' }],
    },
  })
export type HistoryEntry = z.infer<typeof historyEntry>
