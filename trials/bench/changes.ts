// PATCH, holds and their ends, DELETE, new agents and calendars, against P3: one process each, the same Postgres, as many
// connections to it. With few connections nothing can share a statement or a call.
import { type Kind, kinds, type Side } from './changeKinds.ts'
import { onOneCalendar, openSides, type Sides, webhookCount } from './changeSides.ts'
import { interleaved, millis, perSecond, type Row, rowOf, type Target } from './figures.ts'
import type { World } from './world.ts'

const bench = 'changes'
const rounds = 5
/** Of each side, before the first round: V8 compiles while it runs. */
const warmUpMs = 6_000

type Shape = { connections: number; count: number; most: Bounds; mostOfHolds: Bounds }
type Bounds = readonly [bound: number, aim: number]

/** `most`: processor time ÷ P3. */
const shapes: readonly Shape[] = [
  { connections: 48, count: 960, most: [0.7, 0.55], mostOfHolds: [0.6, 0.5] },
  { connections: 4, count: 320, most: [1, 0.8], mostOfHolds: [1, 0.8] },
  { connections: 1, count: 120, most: [1.2, 1], mostOfHolds: [1.2, 1] },
]
const [busiest] = shapes as [Shape]

type Named = { name: string; kind: Kind; leastRate?: Bounds; leastOfBare?: Bounds }

const changes: readonly Named[] = [
  { name: 'PATCH event', kind: kinds.edit, leastRate: [1.15, 1.5], leastOfBare: [0.45, 0.6] },
  { name: 'hold', kind: kinds.hold, leastRate: [1.4, 2] },
  { name: 'confirm', kind: kinds.confirm, leastRate: [1.15, 1.5] },
  { name: 'release', kind: kinds.release },
  { name: 'DELETE event', kind: kinds.remove, leastRate: [1.15, 1.5], leastOfBare: [0.45, 0.6] },
]
const creations: readonly Named[] = [
  { name: 'POST agent', kind: kinds.agent, leastRate: [1.2, 3] },
  { name: 'POST calendar', kind: kinds.calendar, leastRate: [1.2, 3] },
]
const ofOneCalendar: readonly Named[] = [
  { name: 'holds on one calendar', kind: kinds.hold, leastRate: [3, 4.5] },
  { name: 'the life of holds on one calendar', kind: kinds.life, leastRate: [2, 2.5] },
]

const atLeast = ([bound, aim]: Bounds): Target => ({ atLeast: bound, aim })
const atMost = ([bound, aim]: Bounds): Target => ({ atMost: bound, aim })
const cpuAtMost = ([bound, aim]: Bounds): Target => ({ of: 'cpu', ...atMost([bound, aim]) })

export async function benchChanges(world: World): Promise<Row[]> {
  const sides = await openSides(world)
  await warmUp(world, sides)
  const rows: Row[] = []
  for (const shape of shapes) {
    for (const change of changes) rows.push(...(await rowsOf(world, sides, change, shape)))
  }
  for (const creation of creations) rows.push(...(await rateRows(world, sides, creation)))
  const single = { ours: onOneCalendar(sides.ours), p3: onOneCalendar(sides.p3) }
  for (const change of ofOneCalendar) rows.push((await rateRows(world, single, change))[0]!)
  await sides.stop()
  return rows
}

async function warmUp(world: World, { ours, withWebhooks, p3 }: Sides): Promise<void> {
  for (const side of [ours, withWebhooks, p3]) {
    const life = await kinds.life(world, side, 20_000)
    await world.load({ ...life, port: side.port, connections: busiest.connections, until: { ms: warmUpMs } })
  }
}

type Figures = { rate: number; p99Ms: number; cpuMs?: number }

async function measure(world: World, side: Side, kind: Kind, { connections, count }: Shape): Promise<Figures> {
  const measured = await kind(world, side, count)
  const order = { ...measured, port: side.port, connections, until: { answers: count } }
  const { perSecond: rate, p99Ms, cpuMs } = await world.weighedLoad(side.pid, order)
  return { rate, p99Ms, cpuMs }
}

type Compared = { ours: readonly Figures[]; baseline: readonly Figures[] }

function rateRow(name: string, target: Target, { ours, baseline }: Compared): Row {
  const samples = (all: readonly Figures[]) => all.map(({ rate, cpuMs }) => ({ figure: rate, cpuMs }))
  return rowOf({ bench, name, target }, { ours: samples(ours), baseline: samples(baseline) }, perSecond)
}

function p99Row(name: string, { ours, baseline }: Compared): Row {
  const samples = (all: readonly Figures[]) => all.map(({ p99Ms }) => p99Ms)
  const facts = { bench, name: `${name}, p99 ÷ P3`, target: atMost([1, 0.8]) }
  return rowOf(facts, { ours: samples(ours), baseline: samples(baseline) }, millis)
}

/** Everything about one change with so many connections. */
async function rowsOf(world: World, sides: Sides, change: Named, shape: Shape): Promise<Row[]> {
  const { kind, leastRate, leastOfBare } = change
  const isBusiest = shape === busiest
  const on = (side: Side) => () => measure(world, side, kind, shape)
  const figures = await interleaved<string, Figures>(rounds, {
    ours: on(sides.ours),
    withWebhooks: on(sides.withWebhooks),
    p3: on(sides.p3),
    ...(isBusiest && leastOfBare && { bare: on(sides.bare) }),
  })
  const to = (baseline: string, ours = 'ours') => ({ ours: figures[ours]!, baseline: figures[baseline]! })
  const name = `${change.name}, ${shape.connections} connection${shape.connections === 1 ? '' : 's'}`
  const most = kind === kinds.hold ? shape.mostOfHolds : shape.most
  const rows = [rateRow(`${name} ÷ P3`, cpuAtMost(most), to('p3'))]
  if (isBusiest && leastRate) rows.push(rateRow(`${name}, a second ÷ P3`, atLeast(leastRate), to('p3')))
  if (isBusiest) rows.push(p99Row(name, to('p3')))
  if (isBusiest && leastOfBare) rows.push(rateRow(`${name} ÷ bare`, atLeast(leastOfBare), to('bare')))
  const withWebhooks = `${name}, ${webhookCount} webhooks ÷ without`
  return [...rows, rateRow(withWebhooks, { of: 'cpu', atMost: 1.2 }, to('ours', 'withWebhooks'))]
}

async function rateRows(world: World, { ours, p3 }: Pick<Sides, 'ours' | 'p3'>, change: Named): Promise<Row[]> {
  const on = (side: Side) => () => measure(world, side, change.kind, busiest)
  const figures = await interleaved(rounds, { ours: on(ours), baseline: on(p3) })
  return [rateRow(`${change.name}, a second ÷ P3`, atLeast(change.leastRate!), figures), p99Row(change.name, figures)]
}
