// Starts, ends and reminders of a block of due timers, in one statement.
import type { App } from '../app.ts'
import { commit } from '../change.ts'
import { encodeId } from '../ids.ts'
import { type DueTimer, type Fired, timerKey } from '../timers/timers.ts'
import type { EventType } from '../webhooks/catalog.ts'
import { emitPerKey } from '../webhooks/emit.ts'
import { present } from '../wire.ts'
import { titlePlace } from './present.ts'
import { type FiringRow, firingEvents } from './queries.ts'

const typeOf = {
  event_start: 'event.started',
  event_end: 'event.ended',
  event_reminder: 'event.reminder',
} as const satisfies Record<string, EventType>

export type MomentTimer = DueTimer & { kind: keyof typeof typeOf }

/**
 * Fires what still holds: each timer is taken by its generation and the database's clock, so a moment that was
 * rescheduled, cancelled or fired by somebody else meanwhile yields nothing.
 */
export async function fireMoments(app: App, due: readonly MomentTimer[]): Promise<Fired<MomentTimer>> {
  const { sql } = app
  const events = new Map((await firingEvents(sql, due)).map((row) => [row.id, row]))
  const [live, stale] = [
    due.filter((timer) => events.has(timer.subjectId)),
    due.filter((timer) => !events.has(timer.subjectId)),
  ]
  const block = live.map((timer) => ({
    org_id: timer.orgId,
    subject_id: timer.subjectId,
    kind: timer.kind,
    offset_minutes: timer.offsetMinutes,
    generation: timer.generation,
  }))
  const guard = sql`
    select t.org_id, t.subject_id, t.kind, t.offset_minutes,
      t.subject_id || ' ' || t.kind || ' ' || t.offset_minutes as key
    from jsonb_to_recordset(${sql.json(block as never)}) as b
      (org_id uuid, subject_id uuid, kind text, offset_minutes integer, generation bigint)
    join timers t using (org_id, subject_id, kind, offset_minutes)
    where t.generation = b.generation and t.due_at <= app_now()
    for update of t skip locked`
  const emissions = live.map((timer) => ({
    orgId: timer.orgId,
    key: timerKey(timer),
    type: typeOf[timer.kind],
    payload: payloadOf(app, timer, events.get(timer.subjectId)!),
  }))
  const { rows } = await commit<{ key: string }>(app, guard, {
    taken: sql`
      delete from timers t using guard
      where t.org_id = guard.org_id and t.subject_id = guard.subject_id and t.kind = guard.kind
        and t.offset_minutes = guard.offset_minutes`,
    deliveries: emitPerKey(app, emissions),
  })
  const taken = new Set(rows.map(({ key }) => key))
  return { fired: live.filter((timer) => taken.has(timerKey(timer))), stale }
}

function payloadOf({ sealer }: App, timer: MomentTimer, event: FiringRow) {
  return {
    event_id: encodeId('evt', event.id),
    calendar_id: encodeId('cal', event.calendarId),
    title: sealer.unseal(titlePlace(event.id), event.titleSealed),
    start_time: present(event.startTime),
    end_time: present(event.endTime),
    ...(timer.kind === 'event_reminder' && { reminder_minutes: timer.offsetMinutes }),
  }
}
