// Writes `availability_rules`.
import { type Effect, effect } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import type { RulesRow } from './present.ts'

export const upsertRules = (sql: Sql, row: RulesRow): Effect =>
  effect(
    'rules',
    sql`
    insert into availability_rules (
      org_id, calendar_id, id,
      buffer_before_minutes, buffer_after_minutes,
      working_hours, timezone, more, labels_sealed,
      created_at, updated_at)
    select
      ${row.orgId}::uuid, ${row.calendarId}::uuid, ${row.id}::uuid,
      ${row.bufferBeforeMinutes}::smallint, ${row.bufferAfterMinutes}::smallint,
      ${row.workingHours && sql.json(row.workingHours)}::jsonb, ${row.timezone}::text,
      ${row.more && sql.json(row.more)}::jsonb, ${row.labelsSealed}::bytea,
      ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz
    from ${guard}
    on conflict (org_id, calendar_id) do update set
      buffer_before_minutes = excluded.buffer_before_minutes,
      buffer_after_minutes = excluded.buffer_after_minutes,
      working_hours = excluded.working_hours,
      timezone = excluded.timezone,
      more = excluded.more,
      labels_sealed = excluded.labels_sealed,
      updated_at = excluded.updated_at`,
  )

export const removeRulesOf = (sql: Sql, orgId: Uuid, calendarId: Uuid): Effect =>
  effect(
    'rules',
    sql`
    delete from availability_rules r
    using ${guard}
    where r.org_id = ${orgId} and r.calendar_id = ${calendarId}`,
  )
