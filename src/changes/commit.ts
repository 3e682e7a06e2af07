// One change is one statement: a guard and its effects in one data-modifying CTE. Effects select from `guard`, so they
// do nothing when it matched no row. After the commit the rows that are due soon are rung for.
import type { App } from '../app.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment } from '../stores/postgres.ts'
import { type Wakeup, wakeDeliveries, wakeMail, wakeTimers } from '../wakeups/jobs.ts'

/**
 * Named parts of a change. Three names have a meaning: `timers` returns `shard, due_at`, `deliveries` returns
 * `org_id, id, subscription_id, attempts, next_retry_at` and `mails` returns `org_id, id, attempts, next_attempt_at` of
 * the rows it wrote, and those are rung for.
 */
export type Effects = Record<string, Fragment | undefined>

export type Committed<Row> = {
  /** False: the guard matched no row, nothing happened; somebody else was first. */
  matched: boolean
  /** The rows the guard returned, with the column names of the database. */
  rows: Row[]
}

type Outcome = {
  /** As it was sent: the answer is to this change. */
  change: string
  guard: unknown[]
  timers?: [shard: number, second: number][]
  deliveries?: { org_id: Uuid; id: Uuid; subscription_id: Uuid; attempts: number; next_retry_at: string }[]
  mails?: { org_id: Uuid; id: Uuid; attempts: number; next_attempt_at: string }[]
}

/** `first` are steps that the guard itself depends on, by the names `did_…`; they take effect even when it matches nothing. */
export async function commit<Row = unknown>(
  app: App,
  guard: Fragment,
  effects: Effects,
  first: Effects = {},
): Promise<Committed<Row>> {
  const outcome = await repeatOnDeadlock(() => runStatement(app, guard, effects, first))
  app.bell.ring(wakeupsOf(outcome))
  return { matched: outcome.guard.length > 0, rows: outcome.guard as Row[] }
}

const partsOf = (effects: Effects) =>
  Object.entries(effects).filter((part): part is [string, Fragment] => part[1] !== undefined)

async function runStatement(
  { sql, clock, config }: App,
  guard: Fragment,
  effects: Effects,
  first: Effects,
): Promise<Outcome> {
  const horizon = new Date(clock.now().getTime() + config.enqueueHorizonMs)
  const change = newId()
  const [outcome] = await answersTo<Outcome>(sql, (row) => row.change === change)`
    with ${partsOf(first)
      .map(([name, effect]) => sql`${sql(`did_${name}`)} as (${effect}),`)
      .concat(sql``)} guard as (${guard})
    ${partsOf(effects)
      .map(([name, effect]) => sql`, ${sql(`did_${name}`)} as (${effect})`)
      .concat(sql``)}
    select ${change}::uuid as change, (select coalesce(jsonb_agg(to_jsonb(guard)), '[]') from guard) as guard
    ${
      effects.timers
        ? sql`, (select jsonb_agg(distinct jsonb_build_array(shard, floor(extract(epoch from due_at))))
                 from did_timers where due_at <= ${horizon}) as timers`
        : sql``
    }
    ${
      effects.deliveries
        ? sql`, (select jsonb_agg(jsonb_build_object(
                   'org_id', org_id, 'id', id, 'subscription_id', subscription_id, 'attempts', attempts,
                   'next_retry_at', next_retry_at) order by id)
                 from did_deliveries where next_retry_at <= ${horizon}) as deliveries`
        : sql``
    }
    ${effects.mails ? sql`, (select jsonb_agg(to_jsonb(did_mails)) from did_mails) as mails` : sql``}`
  return outcome!
}

function wakeupsOf({ timers, deliveries, mails }: Outcome): Wakeup[] {
  return [
    ...(timers ?? []).map(([shard, second]) => wakeTimers(shard, second)),
    ...wakeDeliveries(
      (deliveries ?? []).map((row) => ({
        orgId: row.org_id,
        id: row.id,
        subscriptionId: row.subscription_id,
        attempts: row.attempts,
        dueAt: new Date(row.next_retry_at),
      })),
    ),
    ...(mails ?? []).map(({ org_id, id, attempts, next_attempt_at }) =>
      wakeMail({ orgId: org_id, id, attempts, dueAt: new Date(next_attempt_at) }),
    ),
  ]
}
