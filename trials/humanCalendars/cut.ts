// A rule as something that can be taken out: texts of this repository that go, in a copy of it.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { repository } from '../world/supervise.ts'

/** A cut in a file: from the first text up to the second one, or the first text alone. Each occurs once. */
export type Cut = { file: string; from: string; to?: string; instead: string }

/** A rule of the product that a goal proves: without it the goal is missed. */
export type Rule = { what: string; cuts: readonly Cut[] }

/** The text without the cut. Throws if a text of the cut does not occur exactly once. */
export function cutText(text: string, { file, from, to, instead }: Cut): string {
  const start = text.indexOf(from)
  const rest = start + from.length
  const last = to === undefined ? rest : text.indexOf(to, rest)
  if (start < 0 || last < 0) throw new Error(`${file} has changed: what is taken out of it is not there: ${from}`)
  if (text.includes(from, rest)) throw new Error(`${file} has changed: what is taken out of it is there twice: ${from}`)
  return text.slice(0, start) + instead + text.slice(last + (to?.length ?? 0))
}

/** The files that cuts change, after the cuts. */
export function cutFiles(cuts: readonly Cut[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const cut of cuts) {
    const text = files.get(cut.file) ?? readFileSync(join(repository, cut.file), 'utf8')
    files.set(cut.file, cutText(text, cut))
  }
  return files
}

const left = new Set(['.git', 'node_modules', 'docs', 'clients', '.data'])

/** A copy of this repository without them, in a new folder. Returns the folder. */
export function copyWithout(cuts: readonly Cut[], root: string): string {
  const files = cutFiles(cuts)
  cpSync(repository, root, { recursive: true, filter: (file) => !left.has(relative(repository, file)) })
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  for (const [file, text] of files) writeFileSync(join(root, file), text)
  return root
}
