// The words of the trial: which goals, how much of each, and whether their rules are taken out.
import type { Goal, Size } from './goal.ts'

type Words =
  | { kind: 'run'; chosen: readonly number[]; size: Size; isWithout: boolean }
  | { kind: 'help' }
  | { kind: 'unknown'; word: string }

export function readWords(words: readonly string[], known: readonly Goal[]): Words {
  const numbers = words.filter((word) => !word.startsWith('--'))
  const signs = new Set(words.filter((word) => word.startsWith('--')))
  if (signs.delete('--help')) return { kind: 'help' }
  const isSmall = signs.delete('--small')
  const isWithout = signs.delete('--without')
  const unknown = [...numbers.filter((word) => !known.some(({ nth }) => String(nth) === word)), ...signs][0]
  if (unknown !== undefined) return { kind: 'unknown', word: unknown }
  const of = (count: number) => (isSmall ? Math.ceil(count / 10) : count)
  return { kind: 'run', chosen: numbers.map(Number), size: { of, isSmall }, isWithout }
}
