// Options of selects and pickers, and which of them a picker shows for a typed text. Pure.
import { word } from './times.ts'

export type Option = { value: string; label: string }

/** Asks the service for options by a typed text, where not all of them are at hand. */
export type Find = (typed: string, signal: AbortSignal) => Promise<readonly Option[]>

/** Values of the API with the texts for them. */
export const optionsOf = <T extends string>(labels: Record<T, string>) =>
  (Object.entries(labels) as [T, string][]).map(([value, label]) => ({ value, label }))

/** Values of the API as words. */
export const wordOptions = <T extends string>(values: readonly T[]) =>
  values.map((value) => ({ value, label: word(value) }))

const maxShown = 50
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('_', ' ')

/** Those that begin with the text come first, then those that contain it. */
export function matching(options: readonly Option[], text: string): readonly Option[] {
  const wanted = plain(text.trim())
  if (wanted === '') return options.slice(0, maxShown)
  const found = options.filter(({ label }) => plain(label).includes(wanted))
  const first = found.filter(({ label }) => plain(label).startsWith(wanted))
  return [...first, ...found.filter((option) => !first.includes(option))].slice(0, maxShown)
}
