// One goal of human calendars: its measurement, and whether it is met.
import type { Rule } from './cut.ts'
import type { Site } from './site.ts'

/** How much of it: all that the goal says, or a tenth for a quick try. */
export type Size = { of(count: number): number; isSmall: boolean }

export type Measured = {
  isMet: boolean
  /** The figures, as the table shows them. */
  figures: string
  /** Further facts. */
  notes?: readonly string[]
}

export type Goal = {
  nth: number
  what: string
  goal: string
  /** The rules that it proves: without any one of them it is missed. */
  rules: readonly [Rule, ...Rule[]]
  run(site: Site, size: Size): Promise<Measured>
}

/** Goals that share a run of the service, one after another. */
export type Group = { workers: number; apis?: number; isTraced?: boolean; goals: readonly Goal[] }

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`

export function say(text: string): void {
  console.log(`    ${new Date().toISOString().slice(11, 19)} ${text}`)
}

/** Asks until it is true; throws after `maxMs`. */
export async function until(
  what: string,
  maxMs: number,
  isTrue: () => Promise<boolean>,
  everyMs = 200,
): Promise<number> {
  const began = Date.now()
  while (!(await isTrue())) {
    if (Date.now() - began > maxMs) throw new Error(`not within ${seconds(maxMs)}: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  return Date.now() - began
}
