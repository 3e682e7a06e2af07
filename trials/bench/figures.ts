// Figures of interleaved rounds. A ratio is taken within one round, so that a slow moment of the machine affects both
// sides; the report shows the median of the rounds, with the lowest and the highest.
import { median } from '../world/report.ts'

/** The result of one side in one round: its figure, and milliseconds of processor time per operation if known. */
export type Sample = { figure: number; cpuMs?: number }

type Compared = { ours: string; baseline: string; ratios: readonly number[] }

/** One comparison with a baseline, and how many times the baseline the target allows. */
export type Row = Compared & {
  bench: string
  name: string
  /** Processor time per operation. */
  cpu?: Compared
  target: Target
}

/**
 * `of: 'cpu'`: the target is about the ratio of processor time, otherwise about that of the figures. `aim`: the better ratio that is
 * wished for.
 */
export type Target = { of?: 'cpu'; aim?: number } & ({ atLeast: number } | { atMost: number })

type Verdict = 'missed' | 'met' | 'aim met'

/** Undefined if the target is about processor time and the system counts none. */
export function verdictOf({ ratios, cpu, target }: Row): Verdict | undefined {
  const judged = target.of === 'cpu' ? cpu?.ratios : ratios
  if (!judged) return undefined
  const reaches = (bound: number) => ('atLeast' in target ? median(judged) >= bound : median(judged) <= bound)
  if (!reaches('atLeast' in target ? target.atLeast : target.atMost)) return 'missed'
  return target.aim !== undefined && reaches(target.aim) ? 'aim met' : 'met'
}

/**
 * Runs every side once a round and returns its figures. The first round warms the sides up and does not count; the order
 * changes with each round. Prints a dot for each round.
 */
export async function interleaved<Side extends string, Figure>(
  rounds: number,
  sides: Record<Side, (round: number) => Promise<Figure> | Figure>,
): Promise<Record<Side, Figure[]>> {
  const names = Object.keys(sides) as Side[]
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, Figure[]>
  for (let round = 0; round <= rounds; round++) {
    for (let nth = 0; nth < names.length; nth++) {
      const name = names[(nth + round) % names.length]!
      const figure = await sides[name](round)
      if (round > 0) figures[name].push(figure)
    }
    process.stdout.write('.')
  }
  return figures
}

type Figures = { ours: readonly (number | Sample)[]; baseline: readonly (number | Sample)[] }

export function rowOf(
  facts: Pick<Row, 'bench' | 'name' | 'target'>,
  figures: Figures,
  show: (figure: number) => string,
): Row {
  const [ours, baseline] = [figures.ours.map(sampleOf), figures.baseline.map(sampleOf)]
  const ofCpu = [cpuOf(ours), cpuOf(baseline)] as const
  return {
    ...facts,
    ...compared(
      ours.map(({ figure }) => figure),
      baseline.map(({ figure }) => figure),
      show,
    ),
    ...(ofCpu[0] && ofCpu[1] && { cpu: compared(ofCpu[0], ofCpu[1], (ms) => micros(ms * 1_000)) }),
  }
}

const sampleOf = (shown: number | Sample): Sample => (typeof shown === 'number' ? { figure: shown } : shown)

/** Undefined unless every round has it. */
function cpuOf(samples: readonly Sample[]): number[] | undefined {
  const found = samples.flatMap(({ cpuMs }) => cpuMs ?? [])
  return found.length === samples.length ? found : undefined
}

const compared = (
  ours: readonly number[],
  baseline: readonly number[],
  show: (figure: number) => string,
): Compared => ({
  ours: show(median(ours)),
  baseline: show(median(baseline)),
  ratios: ours.map((figure, round) => figure / baseline[round]!),
})

export const perSecond = (figure: number): string => `${Math.round(figure).toLocaleString('en')}/s`
export const millis = (figure: number): string => `${digits(figure)} ms`
export const micros = (figure: number): string => `${digits(figure)} µs`

/** Three that count. */
const digits = (figure: number): string =>
  figure >= 1_000 ? Math.round(figure).toLocaleString('en') : figure.toPrecision(3)
