// Refuses what cannot be stored as it was sent (NUL, lone surrogates, numbers beyond a double), and excessive nesting.
import { invalid } from '../../src/errors.ts'

const maxDepth = 64

/** Walks without recursion, so a deep body cannot exhaust the stack. */
export function requireStorable(body: unknown): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next
    if (typeof value === 'string') requireStorableText(value, path || null)
    if (value === Infinity || value === -Infinity) throw invalid(`${path}: the number is too large`, path || null)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) {
      throw invalid(`The body is nested deeper than ${maxDepth} levels.`, path.split('.')[0] || null)
    }
    for (const [key, child] of Object.entries(value)) {
      requireStorableText(key, path || null)
      open.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 })
    }
  }
}

export function requireStorableText(text: string, param: string | null): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalid(`${param ?? 'The body'}: text must not hold NUL characters or lone surrogates`, param)
  }
}
