// Figures of interleaved rounds. A ratio is taken within one round, so that a slow moment of the machine meets both
// sides; what is shown is the median of the rounds, with the lowest and the highest.

/** What one comparison says: as many or as few times the baseline as the target asks. */
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

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

type Sides = { ours(): Promise<number>; baseline(): Promise<number> }

/** One figure per side and round. The first round warms both sides up and counts for nothing; the order turns each time. */
export async function interleaved(rounds: number, sides: Sides): Promise<{ ours: number[]; baseline: number[] }> {
  const figures = { ours: [] as number[], baseline: [] as number[] }
  const names = ['ours', 'baseline'] as const
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 ? names : names.toReversed()) {
      const figure = await sides[name]()
      if (round > 0) figures[name].push(figure)
    }
  }
  return figures
}

type Figures = { ours: readonly number[]; baseline: readonly number[] }

export const rowOf = (
  words: Pick<Row, 'bench' | 'name' | 'target'>,
  { ours, baseline }: Figures,
  show: (figure: number) => string,
): Row => ({
  ...words,
  ours: show(median(ours)),
  baseline: show(median(baseline)),
  ratios: ours.map((figure, round) => figure / baseline[round]!),
})

export const perSecond = (figure: number): string => `${Math.round(figure).toLocaleString('en')}/s`
export const millis = (figure: number): string => `${figure.toPrecision(3)} ms`
export const micros = (figure: number): string => `${figure.toPrecision(3)} µs`
