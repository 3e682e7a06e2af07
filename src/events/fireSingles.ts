// The moments of single events, fired by Postgres alone: this reads, decides and seals nothing here. The remaining ones
// (series, holds, events edited at this instant) are read and fired after it.
import type { App } from '../app.ts'
import { commit } from '../commit/commit.ts'
import { guard, step } from '../commit/step.ts'
import type { FiredInSql } from '../timers/block.ts'
import { type BlockOf, dueBlock } from '../timers/dueBlock.ts'
import { takeFired } from '../timers/takenWrites.ts'
import { emitMoments } from '../webhooks/emit.ts'

/**
 * Fires the plain moments of the block that is due, in the order of their times. A calendar's moments wait for those before them that
 * are not plain. Each timer and its event are locked as they stand at this instant; those that somebody else holds are left.
 */
export async function fireSingles(app: App, asked: BlockOf): Promise<FiredInSql> {
  const { sql } = app
  const due = step('due', dueBlock(sql, asked))
  const turns = step(
    'turns',
    sql`
    select *, min(due_at) filter (where not is_plain) over (partition by calendar_id) as waits_at
    from (
      select *, occurrence_start is null and kind in ('event_start', 'event_end', 'event_reminder') as is_plain
      from ${due}
    ) d`,
  )
  const isInTurn = sql`(b.is_plain and (b.waits_at is null or b.due_at < b.waits_at))`
  const { rows } = await commit<FiredInSql>(app, {
    steps: [due, turns],
    guard: sql`
      select
        t.org_id, t.subject_id, t.calendar_id, t.kind, t.offset_minutes, t.due_at, t.traceparent,
        c.agent_id,
        case t.kind when 'event_start' then 'event.started' when 'event_end' then 'event.ended' else 'event.reminder' end as type,
        e.title_sealed, e.start_time, e.end_time,
        case when t.kind = 'event_reminder' then t.offset_minutes end as reminder_minutes
      from ${turns} b
      join timers t using (org_id, subject_id, kind, offset_minutes)
      join events e on e.org_id = t.org_id and e.id = t.subject_id
      join calendars c on c.org_id = t.org_id and c.id = t.calendar_id and c.deleted_at is null
      where ${isInTurn}
        and t.generation = b.generation
        and t.due_at = b.due_at
        and e.status = 'confirmed'
        and e.recurrence_rule is null
        and e.series_id is null
        and e.deleted_at is null
      for update of t skip locked
      for share of e skip locked`,
    effects: [takeFired(app), ...emitMoments(app)],
    returning: sql`
      select (select count(*) from ${due}) as size, (select count(*) from ${turns} b where not ${isInTurn}) as others, (
        select coalesce(jsonb_agg(to_jsonb(g)), '[]')
        from (
          select
            org_id as "orgId", kind, jsonb_agg(extract(epoch from due_at) * 1000) as "dueAtMs",
            jsonb_agg(distinct traceparent) filter (where traceparent is not null) as traceparents
          from ${guard}
          group by org_id, kind
        ) g) as groups`,
  })
  return rows[0]!
}
