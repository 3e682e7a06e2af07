import { z } from 'zod'

const count = z.int().min(0).meta({ example: 0 })

export const queueList = z.object({
  queues: z.array(
    z
      .object({
        name: z.string().meta({ example: 'timers' }),
        waiting: count,
        active: count,
        delayed: count.meta({ description: 'Wake-ups that are not due yet.' }),
        failed: count,
        oldest_seconds: z
          .number()
          .min(0)
          .meta({ description: 'How long the oldest waiting wake-up has been due; 0 if none waits.', example: 0 }),
      })
      .meta({ id: 'Queue' }),
  ),
})
