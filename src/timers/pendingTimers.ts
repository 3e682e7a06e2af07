// The timers that were due when their subject was edited.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { own } from '../stores/ownership.ts'
import type { Timer } from './timers.ts'

/** A timer that is due and has not fired yet. */
export type PendingTimer = Pick<Timer, 'kind' | 'offsetMinutes' | 'dueAt'>

export const readPendingTimers = ({ sql }: App, { orgId, id }: { orgId: Uuid; id: Uuid }, now: Date) =>
  own<PendingTimer>(sql, orgId)`
    select org_id, kind, offset_minutes, due_at
    from timers
    where org_id = ${orgId}
      and subject_id = ${id}
      and due_at <= ${now}`
