// The documents of the repository, read as Markdown.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const read = (file: string): string => readFileSync(join(root, file), 'utf8')

export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...globSync('{docs/**,clients/*}/*.md', { cwd: root, exclude: ['**/node_modules/**'] }).sort(),
]

/** The text under a heading, up to the next heading of its rank or above. */
export function section(text: string, heading: string): string {
  const begin = text.indexOf(`\n${heading}\n`)
  if (begin < 0) throw new Error(`there is no heading ${heading}`)
  const rest = text.slice(begin + heading.length + 2)
  const rank = heading.indexOf(' ')
  const end = rest.search(new RegExp(`^#{1,${rank}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}

/** The rows of the tables, without their heads. */
export const rowsOf = (text: string): string[] => [...text.matchAll(/^\| .* \|$/gm)].map(([line]) => line).slice(1)

export const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

export type Block = { language: string; text: string }

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({ language: match[1]!, text: match[2]! }))

const withoutBlocks = (text: string) => text.replaceAll(/^```.*?^```$/gms, '')

/** As GitHub makes them. */
export const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )
