// One change is one statement: a guard and its effects in one data-modifying CTE. Effects select from the guard, so they do
// nothing if it matched no row. After the commit, the rows that are due soon are rung for.
import type { App } from '../app.ts'
import { camelCase } from '../shapes/cases.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { Template } from '../stores/template.ts'
import { type Wakeup, wakeDeliveries, wakeMail, wakeTimers } from '../wakeups/jobs.ts'
import type { Effect, Rung } from './effect.ts'
import { Step } from './step.ts'

type Change = {
  /** What the guard depends on, in the order in which the parts use each other. They take effect even if it matches nothing. */
  steps?: readonly Step[]
  /** Decides whether the change happens: the effects see its rows. */
  guard: Fragment
  /** In the order in which they use each other; undefined ones are left out. */
  effects?: readonly (Effect | undefined)[]
}

export type Committed<Row> = {
  /** False: the guard matched no row and nothing happened; somebody else was first. */
  matched: boolean
  /** The rows that the guard returned, in camelCase. Values are those of JSON: datetimes are texts. */
  rows: Row[]
}

type Outcome = {
  /** As it was sent: the answer is to this change. */
  change: string
  guard: Record<string, unknown>[]
  timers?: [shard: number, second: number][]
  deliveries?: { org_id: Uuid; id: Uuid; subscription_id: Uuid; attempts: number; next_retry_at: string }[]
  mails?: { org_id: Uuid; id: Uuid; attempts: number; next_attempt_at: string }[]
}

/** Throws before anything is sent if two parts have one name, or one uses a part that does not come before it. */
export async function commit<Row = unknown>(
  app: App,
  { steps = [], guard, effects = [] }: Change,
): Promise<Committed<Row>> {
  const given = effects.filter((effect) => effect !== undefined)
  checkParts(steps, guard, given)
  const outcome = await repeatOnDeadlock(() => runStatement(app, steps, guard, given))
  app.bell.ring(wakeupsOf(outcome))
  return { matched: outcome.guard.length > 0, rows: outcome.guard.map((row) => inCamelCase<Row>(row)) }
}

function checkParts(steps: readonly Step[], guard: Fragment, effects: readonly Effect[]): void {
  const before = new Set<Step>()
  const names = new Set<string>()
  const check = (name: string, body: Fragment) => {
    for (const used of stepsIn(body)) {
      if (!before.has(used))
        throw new TypeError(`${name} uses ${used.name}, which does not come before it in this change`)
    }
  }
  const add = (part: Step) => {
    check(part.name, part.body)
    if (names.has(part.name)) throw new TypeError(`a change has two parts named ${part.name}`)
    names.add(part.name)
    before.add(part)
  }
  for (const one of steps) add(one)
  check('the guard', guard)
  for (const one of effects) add(one)
}

function stepsIn({ values }: Template): Step[] {
  return values.flat().flatMap((value) => {
    if (value instanceof Step) return [value]
    return value instanceof Template ? stepsIn(value) : []
  })
}

async function runStatement(
  { sql, clock, config }: App,
  steps: readonly Step[],
  guard: Fragment,
  effects: readonly Effect[],
): Promise<Outcome> {
  const horizon = new Date(clock.now().getTime() + config.enqueueHorizonMs)
  const change = newId()
  const declared = (part: Step) => sql`${part} as (${part.body})`
  const rung = effects.flatMap((effect) =>
    effect.rings ? [sql`, ${rungRows[effect.rings](sql, effect, horizon)}`] : [],
  )
  const [outcome] = await answersTo<Outcome>(sql, (row) => row.change === change)`
    with ${[...steps.map((part) => sql`${declared(part)},`), sql``]}
    guard as (${guard})
    ${[...effects.map((part) => sql`, ${declared(part)}`), sql``]}
    select
      ${change}::uuid as change,
      (select coalesce(jsonb_agg(to_jsonb(guard)), '[]') from guard) as guard
      ${[...rung, sql``]}`
  return outcome!
}

/** What the statement returns of the rows that are rung for. */
const rungRows: Record<Rung, (sql: Sql, effect: Effect, horizon: Date) => Fragment> = {
  timers: (sql, effect, horizon) => sql`
    (select jsonb_agg(distinct jsonb_build_array(shard, floor(extract(epoch from due_at))))
     from ${effect}
     where due_at <= ${horizon}) as timers`,
  deliveries: (sql, effect, horizon) => sql`
    (select jsonb_agg(to_jsonb(rung) order by id)
     from (select org_id, id, subscription_id, attempts, next_retry_at from ${effect}) rung
     where next_retry_at <= ${horizon}) as deliveries`,
  mails: (sql, effect) => sql`
    (select jsonb_agg(to_jsonb(rung))
     from (select org_id, id, attempts, next_attempt_at from ${effect}) rung) as mails`,
}

const inCamelCase = <Row>(row: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])) as Row

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
