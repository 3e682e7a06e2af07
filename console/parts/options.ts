// Which options a picker shows for a typed text. Pure.

export type Option = { value: string; label: string }

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
