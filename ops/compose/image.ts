// The contents of the image, without building it: the files that the last stage of the Dockerfile copies, less what
// .dockerignore keeps out, and the packages of production.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

type Instruction = { name: string; rest: string }

/** The instructions of a Dockerfile, continued lines joined. */
export const instructions = (text: string): Instruction[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      return { name, rest: rest.trim() }
    })

/** `FROM` and what follows it, by stage. */
export function stages(text: string): Instruction[][] {
  const found: Instruction[][] = []
  for (const instruction of instructions(text)) {
    if (instruction.name === 'FROM') found.push([])
    found.at(-1)?.push(instruction)
  }
  return found
}

/** As .dockerignore has it: the last line that matches decides. */
export function isKeptOut(file: string): boolean {
  let isOut = false
  for (const line of read('.dockerignore').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const pattern = line.replace(/^!/, '')
    // Unlike elsewhere a star also stands for names that begin with a dot.
    const isMeant = pattern === '*' || matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`)
    if (isMeant) isOut = !line.startsWith('!')
  }
  return isOut
}

/** The files that the last stage copies from the repository. */
export function copiedFiles(): string[] {
  const copies = stages(read('Dockerfile'))
    .at(-1)!
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
  const sources = copies.flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
  return sources.flatMap(filesOf).filter((file) => !isKeptOut(file))
}

function filesOf(source: string): string[] {
  if (!statSync(join(root, source)).isDirectory()) return [source]
  return globSync(`${source}/**`, { cwd: root }).filter((file) => statSync(join(root, file)).isFile())
}

type Locked = Partial<Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>>

/** Packages of production by the lock file, less those that the Dockerfile uninstalls again. */
export function productionPackages(): string[] {
  const packages = JSON.parse(read('package-lock.json')).packages as Record<string, Locked>
  const uninstalled = /npm uninstall (.*?)(&&|$)/.exec(read('Dockerfile').replace(/\\\n/g, ' '))?.[1] ?? ''
  const removed = new Set(uninstalled.split(/\s+/).filter((word) => word && !word.startsWith('-')))
  const found = new Set<string>()
  const open: string[] = []
  const add = (name: string, from: string) => {
    for (let folder = from; ; folder = folder.includes('node_modules/') ? dirname(folder) : '') {
      const path = join(folder, 'node_modules', name)
      if (packages[path]) {
        if (!found.has(path) && existsSync(join(root, path))) open.push(path)
        found.add(path)
        return
      }
      if (folder === '') return
    }
  }
  for (const name of Object.keys(packages['']!.dependencies ?? {})) if (!removed.has(name)) add(name, '')
  for (let path = open.pop(); path; path = open.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path]!
    const optionalPeers = Object.keys((packages[path] as { peerDependenciesMeta?: object }).peerDependenciesMeta ?? {})
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) add(name, path)
    for (const name of Object.keys(peerDependencies ?? {})) if (!optionalPeers.includes(name)) add(name, path)
  }
  return [...found].filter((path) => existsSync(join(root, path))).sort()
}
