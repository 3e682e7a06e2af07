// The contents of the image in a directory: the files that the last stage of the Dockerfile copies, less what
// .dockerignore keeps out, and the packages of production. For tests on machines without a container engine.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
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

export function layOut(directory: string): void {
  const last = stages(read('Dockerfile')).at(-1)!
  for (const { name, rest } of last) {
    if (name !== 'COPY' || rest.startsWith('--from')) continue
    const words = rest.split(/\s+/)
    for (const source of words.slice(0, -1)) copyFiles(directory, source)
  }
  for (const packagePath of productionPackages()) copyPackage(directory, packagePath)
}

function copyFiles(directory: string, source: string): void {
  const files = statSync(join(root, source)).isDirectory()
    ? globSync(`${source}/**`, { cwd: root }).filter((file) => statSync(join(root, file)).isFile())
    : [source]
  for (const file of files.filter((candidate) => !isKeptOut(candidate))) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    cpSync(join(root, file), join(directory, file))
  }
}

/** Linked where that is possible: a copy takes seconds. Packages inside a package are packages of their own. */
function copyPackage(directory: string, packagePath: string): void {
  const target = join(directory, packagePath)
  mkdirSync(target, { recursive: true })
  const entries = globSync('*', { cwd: join(root, packagePath) }).filter((entry) => entry !== 'node_modules')
  const sources = entries.map((entry) => join(root, packagePath, entry))
  if (spawnSync('cp', ['-al', ...sources, target]).status === 0) return
  for (const entry of entries) cpSync(join(root, packagePath, entry), join(target, entry), { recursive: true })
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
