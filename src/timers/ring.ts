// Timers that a change sets: the seconds in which they are due are rung for.
import { ring } from '../commit/effect.ts'
import { wakeup } from '../wakeups/jobs.ts'

export const wakeSecond = (second: number, rescuedAt?: Date) =>
  wakeup('fire', { second }, new Date(second * 1000), { rescuedAt })

/** Of effects that return `due_at`. */
export const timersRing = ring<number[]>('timers', {
  found: (sql, rows, horizon) => sql`
    select jsonb_agg(distinct floor(extract(epoch from due_at))) from ${rows} where due_at <= ${horizon}`,
  after: (app, seconds) => app.bell.ring(seconds.map((second) => wakeSecond(second))),
})
