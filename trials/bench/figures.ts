// Figures of interleaved rounds. A ratio is taken within one round, so that a slow moment of the machine affects both
// sides; the report shows the median of the rounds, with the lowest and the highest.
import { median } from '../world/report.ts'

/** One comparison with a baseline, and how many times the baseline the target allows. */
export type Row = {
  bench: string
  name: string
  ours: string
  baseline: string
  ratios: readonly number[]
  target: Target
}

type Target = { atLeast: number } | { atMost: number }

export const isMet = ({ ratios, target }: Row): boolean =>
  'atLeast' in target ? median(ratios) >= target.atLeast : median(ratios) <= target.atMost

/**
 * Runs every side once a round and returns its figures. The first round warms the sides up and does not count; the order
 * changes with each round.
 */
export async function interleaved<Side extends string>(
  rounds: number,
  sides: Record<Side, () => Promise<number> | number>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[]
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (let nth = 0; nth < names.length; nth++) {
      const name = names[(nth + round) % names.length]!
      const figure = await sides[name]()
      if (round > 0) figures[name].push(figure)
    }
  }
  return figures
}

type Figures = { ours: readonly number[]; baseline: readonly number[] }

export const rowOf = (
  facts: Pick<Row, 'bench' | 'name' | 'target'>,
  { ours, baseline }: Figures,
  show: (figure: number) => string,
): Row => ({
  ...facts,
  ours: show(median(ours)),
  baseline: show(median(baseline)),
  ratios: ours.map((figure, round) => figure / baseline[round]!),
})

export const perSecond = (figure: number): string => `${Math.round(figure).toLocaleString('en')}/s`
export const millis = (figure: number): string => `${figure.toPrecision(3)} ms`
export const micros = (figure: number): string => `${figure.toPrecision(3)} µs`
