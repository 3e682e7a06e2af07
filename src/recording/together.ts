// Changes of one kind that are decided in one turn of the event loop share a statement, of whatever organizations they are. Each
// happens whole or not at all. The statement costs as much as eight of its changes (docs/decisions/changes-share-statements.md).
import type { App } from '../app.ts'
import { type Change, commit } from '../commit/commit.ts'
import { type DryRunEnd, WouldHappen } from '../commit/dryRun.ts'
import type { Effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { isRolledBack } from '../stores/failures.ts'
import { batchedPerKey } from '../stores/keyedBatch.ts'
import type { Fragment } from '../stores/postgres.ts'
import { type Columns, rowsOf } from '../stores/sql.ts'
import { type Recorded, recordEach } from './record.ts'

/** How things of one kind are changed. */
export type Kind<Item extends Recorded> = {
  /** Those of `recordedColumns`, and the columns of the kind. */
  columns: Columns<Item>
  /** Of the items that share one of these, a statement takes the first. */
  keysOf(item: Item): readonly string[]
  /** The rows that the items were decided by. */
  decidedBy(app: App, items: Step): DecidedBy
  /**
   * The guard has `id`, and the columns of `recordEach`. `admitted`: the items whose rows have not changed since they were
   * read; they are locked.
   */
  write(app: App, admitted: Step, items: readonly Item[]): Pick<Change, 'steps' | 'guard' | 'effects'>
}

type DecidedBy = {
  /**
   * A `from` clause that joins them to the items, `i`, with a `where` clause that compares them with the rows that were read.
   */
  rows: Fragment
  /** The columns that the items get of them: a list of a `select`. */
  columns: Fragment
  /** In which order they are locked, by which aliases. */
  order: Fragment
  locks: Fragment
}

/** Parts that only one change has, or depends on. It gets a statement of its own. */
export type Alone = { steps?: readonly Step[]; condition?: Fragment; effects?: readonly (Effect | undefined)[] }

/** False: something that it depends on has changed since, and nothing happened. */
export async function together<Item extends Recorded>(
  app: App,
  kind: Kind<Item>,
  item: Item,
  alone?: Alone,
): Promise<boolean> {
  if (alone || item.approved) return (await runAlone(app, kind, item, alone ?? {})) === 'happened'
  const { shared, patient, tried, triedPatiently } = app.memory(openLines)(kind as unknown as Kind<Recorded>)
  if (item.end) {
    const wouldHappen = (await tried(item)) || (await triedPatiently(item.orgId, item))
    return wouldHappen && failDry(item, item.end)
  }
  const outcome = await shared(item)
  const settled = outcome === 'locked' ? await patient(item.orgId, item) : outcome
  if (typeof settled === 'object') throw settled.error
  return settled === 'happened'
}

/**
 * `locked`: another statement has locked a row that the change depends on. It is tried again among the waiting changes of its
 * organization, so that it holds up no other organization.
 */
type Outcome = 'happened' | 'refused' | 'locked' | { error: unknown }

const maxAtOnce = 50
const gather = { upTo: 8, gatherMs: 2 }

type Lines = {
  shared: (item: Recorded) => Promise<Outcome>
  patient: (orgId: Uuid, item: Recorded) => Promise<Outcome>
  tried: (item: Recorded) => Promise<boolean>
  /** An item that did not match may be locked, which a dry run does not see. */
  triedPatiently: (orgId: Uuid, item: Recorded) => Promise<boolean>
}

function openLines(app: App) {
  const known = new Map<Kind<Recorded>, Lines>()
  const open = (kind: Kind<Recorded>): Lines => ({
    shared: batched(maxAtOnce, (items) => runAll(app, kind, items, { waits: false }), { gather }),
    patient: batchedPerKey(maxAtOnce, (_, items) => runAll(app, kind, items, { waits: true }), { gather }),
    tried: batched(maxAtOnce, (items) => tryAll(app, kind, items, false), { gather }),
    triedPatiently: batchedPerKey(maxAtOnce, (_, items) => tryAll(app, kind, items, true), { gather }),
  })
  return (kind: Kind<Recorded>): Lines => {
    const lines = known.get(kind) ?? open(kind)
    known.set(kind, lines)
    return lines
  }
}

/** `waits`: for rows that are locked; otherwise it leaves them out. */
type Way = {
  waits: boolean
  alone?: Alone
  dryRun?: { emitted: readonly Recorded['emission'][]; end: DryRunEnd | undefined }
}

/** After a rollback, or if an item makes no statement, each is tried by itself. After an unknown outcome nothing is repeated. */
async function runAll(app: App, kind: Kind<Recorded>, items: readonly Recorded[], way: Way): Promise<Outcome[]> {
  const firsts = firstOfEach(items, kind.keysOf)
  const change = changeOf(app, kind, [...firsts], way)
  try {
    const left = await commitAll(app, change)
    return items.map((item) => (firsts.has(item) ? (left.get(item.id) ?? 'happened') : 'refused'))
  } catch (error) {
    if (isRolledBack(error)) throw error
    return items.map(() => ({ error }))
  }
}

function firstOfEach<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): Set<Item> {
  const taken = new Set<string>()
  const firsts = items.filter((item) => {
    const keys = keysOf(item)
    const isFirst = keys.every((key) => !taken.has(key))
    if (isFirst) for (const key of keys) taken.add(key)
    return isFirst
  })
  return new Set(firsts)
}

async function runAlone<Item extends Recorded>(app: App, kind: Kind<Item>, item: Item, alone: Alone): Promise<Outcome> {
  // Of an approved request the decision has the end.
  const isDryRun = item.end !== undefined || item.approved?.isDryRun
  const dryRun = isDryRun && { emitted: [item.emission], end: item.end }
  const left = await commitAll(app, changeOf(app, kind, [item], { waits: true, alone, ...(dryRun && { dryRun }) }))
  return dryRun ? 'refused' : (left.get(item.id) ?? 'happened')
}

/** Whether the dry runs would happen. Throws if that differs among them: then each is tried by itself. */
async function tryAll(app: App, kind: Kind<Recorded>, items: readonly Recorded[], waits: boolean): Promise<boolean[]> {
  try {
    await commitAll(app, changeOf(app, kind, items, { waits, dryRun: { emitted: [], end: items[0]!.end! } }))
  } catch (error) {
    if (error instanceof WouldHappen && error.matched === items.length) return items.map(() => true)
    throw error
  }
  if (items.length === 1) return [false]
  throw new Error('not all of these dry runs would happen')
}

function failDry({ emission }: Recorded, end: DryRunEnd): never {
  throw new WouldHappen(end, [emission], 1)
}

/** The list of items is read once; effects select from the guard. It returns what did not happen. */
function changeOf<Item extends Recorded>(
  app: App,
  kind: Kind<Item>,
  items: readonly Item[],
  { waits, alone, dryRun }: Way,
): Change {
  const { sql } = app
  const listed = step('items', sql`select * from ${rowsOf(sql, items, kind.columns, 'i')}`)
  const { rows: all, columns, order, locks } = kind.decidedBy(app, listed)
  const decidedBy = alone?.condition ? sql`${all} and ${alone.condition}` : all
  const admitted = step(
    'admitted',
    sql`
    select i.*, ${columns}
    ${decidedBy}
    order by ${order}
    for no key update of ${locks} ${waits ? sql`` : sql`skip locked`}`,
  )
  const { steps = [], guard: admittedOnes, effects = [] } = kind.write(app, admitted, items)
  return {
    steps: [...(alone?.steps ?? []), listed, admitted, ...steps],
    guard: admittedOnes,
    effects: [...effects, ...(alone?.effects ?? []), ...recordEach(app, items, dryRun)],
    // An item that has not changed since it was read and yet is not admitted is locked.
    returning: sql`
      select left_out.id, left_out.id in (select i.id ${decidedBy}) as is_locked
      from ${listed} left_out
      where left_out.id not in (select id from ${guard})`,
  }
}

async function commitAll(app: App, change: Change): Promise<Map<Uuid, 'refused' | 'locked'>> {
  const { rows } = await commit<{ id: Uuid; isLocked: boolean }>(app, change)
  return new Map(rows.map(({ id, isLocked }) => [id, isLocked ? 'locked' : 'refused']))
}
