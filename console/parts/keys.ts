// The keys that move in menus, lists and tabs. Pure.

/** Where the focus goes, round the ends; undefined for every other key. */
export function step(key: string, at: number, length: number, axis: 'vertical' | 'horizontal' = 'vertical') {
  const [next, previous] = axis === 'vertical' ? ['ArrowDown', 'ArrowUp'] : ['ArrowRight', 'ArrowLeft']
  if (length === 0) return undefined
  if (key === next) return (at + 1) % length
  if (key === previous) return at <= 0 ? length - 1 : at - 1
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return undefined
}
