// One change is one statement: a guard and its effects in one data-modifying CTE. Effects select from the guard, so they do
// nothing if it matched no row. After the commit, the rows that are due soon are rung for.
import type { App } from '../app.ts'
import { camelCase } from '../shapes/cases.ts'
import { newId } from '../shapes/ids.ts'
import { repeatOnDeadlock } from '../stores/deadlocks.ts'
import { answersTo } from '../stores/ownership.ts'
import type { Fragment } from '../stores/postgres.ts'
import { Template } from '../stores/template.ts'
import { DryRunEnd, runDry } from './dryRun.ts'
import type { Effect, Ring } from './effect.ts'
import { Step } from './step.ts'

export type Change = {
  /**
   * Steps that the guard depends on, in the order in which they use each other. They take effect even if the guard matches
   * nothing.
   */
  steps?: readonly Step[]
  /** Decides whether the change happens: the effects see its rows. */
  guard: Fragment
  /** In the order in which they use each other; undefined ones are left out. */
  effects?: readonly (Effect | readonly Effect[] | undefined)[]
  /** A query of the rows that the change returns, if they are not those of the guard. */
  returning?: Fragment
}

export type Committed<Row> = {
  /** False: the guard matched no row and nothing happened; somebody else was first. */
  matched: boolean
  /** The rows of `returning`, otherwise of the guard, in camelCase. Values are those of JSON: datetimes are texts. */
  rows: Row[]
}

type Outcome = {
  /** Id sent with the statement; proves that the result belongs to it. */
  change: string
  matched: boolean
  rows: Record<string, unknown>[]
  /** The rows that ringing effects have found, in their order. */
  rung: unknown[]
}

/**
 * Throws before anything is sent if two parts have one name, or one uses a part that does not come before it. With the effect
 * `DryRunEnd` nothing happens: it throws `WouldHappen`, or returns that the guard matched nothing.
 */
export async function commit<Row = unknown>(
  app: App,
  { steps = [], guard, effects: given = [], returning = allOfGuard }: Change,
): Promise<Committed<Row>> {
  const effects = given.flat().filter((effect) => effect !== undefined)
  const change = { steps, guard, effects, returning }
  checkParts(change)
  const run = () => repeatOnDeadlock(() => runStatement(app, change))
  const end = effects.find((effect) => effect instanceof DryRunEnd)
  if (end) {
    await runDry(run, end, effects)
    return { matched: false, rows: [] }
  }
  const outcome = await run()
  for (const [nth, { ring }] of ringers(effects).entries()) {
    const found = outcome.rung[nth]
    if (found !== null) ring.after(app, found)
  }
  return { matched: outcome.matched, rows: outcome.rows.map((row) => inCamelCase<Row>(row)) }
}

const allOfGuard = new Template(['select * from guard'], [])

type WholeChange = { steps: readonly Step[]; guard: Fragment; effects: readonly Effect[]; returning: Fragment }

function checkParts({ steps, guard, effects, returning }: WholeChange): void {
  const before = new Set<Step>()
  const names = new Set<string>()
  const add = (part: Step) => {
    checkUse(part.name, part.body, before)
    if (names.has(part.name)) throw new TypeError(`a change has two parts named ${part.name}`)
    names.add(part.name)
    before.add(part)
  }
  for (const one of steps) add(one)
  checkUse('the guard', guard, before)
  for (const one of effects) add(one)
  checkUse('what it returns', returning, before)
}

/** Every change passes here, so this loop builds no lists. */
function checkUse(name: string, value: unknown, before: ReadonlySet<Step>): void {
  if (value instanceof Template) for (const one of value.values) checkUse(name, one, before)
  else if (Array.isArray(value) && value[0] instanceof Template) for (const one of value) checkUse(name, one, before)
  else if (value instanceof Step && !before.has(value))
    throw new TypeError(`${name} uses ${value.name}, which does not come before it in this change`)
}

async function runStatement(
  { sql, clock, config }: App,
  { steps, guard, effects, returning }: WholeChange,
): Promise<Outcome> {
  const horizon = new Date(clock.now().getTime() + config.enqueueHorizonMs)
  const change = newId()
  const declared = (part: Step) => sql`${part} as (${part.body})`
  const rung = ringers(effects).map((effect) => sql`(${effect.ring.found(sql, effect, horizon)})`)
  const [outcome] = await answersTo<Outcome>(sql, (row) => row.change === change)`
    with ${[...steps.map((part) => sql`${declared(part)},`), sql``]}
    guard as (${guard})
    ${[...effects.map((part) => sql`, ${declared(part)}`), sql``]}
    select
      ${change}::uuid as change,
      exists (select from guard) as matched,
      (select coalesce(jsonb_agg(to_jsonb(returned)), '[]') from (${returning}) returned) as rows,
      jsonb_build_array(${[...rung.map((one, nth) => (nth === 0 ? one : sql`, ${one}`)), sql``]}) as rung`
  return outcome!
}

const ringers = (effects: readonly Effect[]) =>
  effects.filter((effect): effect is Effect & { ring: Ring } => effect.ring !== undefined)

const inCamelCase = <Row>(row: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])) as Row
