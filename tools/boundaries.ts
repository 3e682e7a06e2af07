// `npm run boundaries`: checks that imports keep to the layers, that every export is imported, and that comments are in plain
// English. The rules of the layers are data in `boundaryRules.ts`, those for English in `plainEnglish.ts`.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { impure, pureFiles, roomOrder, rules, textRules } from './boundaryRules.ts'
import { oddWordings } from './plainEnglish.ts'
import { tableOwners } from './tableOwners.ts'
import { unusedExports } from './unusedExports.ts'

type Violation = { rule: string; comment: string; from: string; to: string }

type Verdict = { violations: Violation[]; modules: number }

const folders = ['src', 'api', 'workers', 'local', 'ops', 'grafana', 'trials', 'tools', 'clients', 'console']

/** Checks the tree under `root`. */
export async function checkBoundaries(root: string): Promise<Verdict> {
  const modules = await cruised(root)
  return {
    modules: modules.filter(({ source }) => folders.includes(source.split('/')[0]!)).length,
    violations: [
      ...modules.flatMap(ofImports),
      ...modules.filter(isPure).flatMap((module) => ofPureFile(module, modules)),
      ...ofTexts(root),
      ...ofEnglish(root),
      ...ofTables(root),
      ...ofRooms(root),
      ...ofExports(root),
    ],
  }
}

/** With swc: next to TypeScript 7, the default parser of dependency-cruiser finds no file and reports no error. */
async function cruised(root: string): Promise<IModule[]> {
  const { output } = await cruise(
    folders.filter((folder) => existsSync(join(root, folder))),
    {
      baseDir: root,
      parser: 'swc',
      tsPreCompilationDeps: 'specify',
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^(clients/[^/]+|console)/dist' },
      validate: true,
      ruleSet: { forbidden: rules },
    },
    {
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['node', 'import'],
    },
  )
  return (output as ICruiseResult).modules
}

const ofImports = ({ source, dependencies }: IModule): Violation[] =>
  dependencies.flatMap(({ resolved, rules: broken = [] }) =>
    broken.map(({ name }) => ({ rule: name, comment: commentOf(name), from: source, to: resolved })),
  )

const commentOf = (name: string): string => rules.find((rule) => rule.name === name)?.comment ?? ''

const isPure = ({ source }: IModule): boolean => pureFiles.test(source) && !source.endsWith('.test.ts')

/** The chain of imports by which a pure file reaches I/O, if there is one. Imports of types do not count. */
function ofPureFile({ source }: IModule, modules: readonly IModule[]): Violation[] {
  const bySource = new Map(modules.map((module) => [module.source, module]))
  const seen = new Set([source])
  const open = [[source]]
  for (let way = open.pop(); way; way = open.pop()) {
    for (const { resolved, dependencyTypes } of bySource.get(way.at(-1)!)?.dependencies ?? []) {
      if (dependencyTypes.includes('type-only') || seen.has(resolved)) continue
      seen.add(resolved)
      const further = [...way, resolved]
      if (impure.some((pattern) => pattern.test(resolved))) {
        const comment = 'A pure file does no I/O, and neither do the files that it imports. It may import types.'
        return [{ rule: 'pure-without-io', comment, from: source, to: further.slice(1).join(' → ') }]
      }
      open.push(further)
    }
  }
  return []
}

const ofTexts = (root: string): Violation[] =>
  globSync(`{${folders.join(',')}}/**/*.{ts,tsx}`, { cwd: root }).flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return textRules
      .filter(({ files }) => files.test(file))
      .flatMap(({ name, comment, text }) =>
        lines.flatMap((line, nth) =>
          text.test(line) ? [{ rule: name, comment, from: `${file}:${nth + 1}`, to: line.trim() }] : [],
        ),
      )
  })

const ofEnglish = (root: string): Violation[] =>
  globSync(`{${folders.join(',')}}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['tools/plainEnglish.test.ts', 'clients/*/dist/**'],
  }).flatMap((file) =>
    oddWordings(readFileSync(join(root, file), 'utf8')).map(({ line, words }) => ({
      rule: 'plain-english',
      comment: 'Begin a sentence with its subject and verb, and say what happens: "Style" in CONTRIBUTING.md.',
      from: `${file}:${line}`,
      to: words,
    })),
  )

const writes = /\b(?:insert into|update|delete from)\s+(\w+)/g

const ownersOf = (table: string): string[] => {
  const owner = tableOwners[table]!
  return typeof owner === 'string' ? [owner] : [owner.rows, owner.engine]
}

/** Only its owner writes a table; a table without an owner must not be written. */
const ofTables = (root: string): Violation[] =>
  globSync('{src,api,workers}/**/*.ts', { cwd: root, exclude: ['src/testing/**', '**/*.test.ts'] }).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, nth) =>
        [...line.matchAll(writes)]
          .map(([, table]) => table!)
          .filter((table) => table in tableOwners && !ownersOf(table).some((room) => file.startsWith(`src/${room}/`)))
          .map((table) => ({
            rule: 'one-owner-writes-a-table',
            comment: `src/${ownersOf(table).join('/ and src/')}/ owns ${table}: call a function of its writes.ts instead.`,
            from: `${file}:${nth + 1}`,
            to: table,
          })),
      ),
  )

/** A room needs its place in the order before its first import. A file at the top of `src/` is a room, too. */
const ofRooms = (root: string): Violation[] =>
  readdirSync(join(root, 'src'))
    .filter((name) => name !== 'testing' && !name.endsWith('.test.ts') && !roomOrder.includes(name))
    .map((name) => ({
      rule: 'every-room-has-its-place',
      comment: 'Move the file into a room, or add the room to roomOrder in tools/boundaryRules.ts.',
      from: `src/${name}`,
      to: 'no place',
    }))

/** Files that Vitest and Vite find by themselves. */
const calledByVitest = [
  'tools/test/stores.ts setup',
  'tools/test/stores.ts teardown',
  'vitest.config.ts ExportDefaultExpression',
  'console/vite.config.ts ExportDefaultExpression',
]

/** Imported by users of the package. */
const publicOfClients = /^clients\/typescript\/src\/(entry|generated\/.*)\.ts$/

const ofExports = (root: string): Violation[] =>
  unusedExports(root, folders)
    .filter(({ file, name }) => !calledByVitest.includes(`${file} ${name}`) && !publicOfClients.test(file))
    .map(({ file, name }) => ({
      rule: 'every-export-is-imported',
      comment:
        'No other file imports this name. Remove `export`, or remove all of it if its own file does not use it either.',
      from: file,
      to: name,
    }))

/** A check that finds no files would pass. */
const minModules = 150

if (import.meta.main) {
  const { violations, modules } = await checkBoundaries(resolve(import.meta.dirname, '..'))
  for (const { rule, comment, from, to } of violations) console.error(`${from} → ${to}\n  ${rule}: ${comment}`)
  if (modules < minModules) console.error(`only ${modules} modules were found: is @swc/core installed?`)
  const isFine = violations.length === 0 && modules >= minModules
  console.log(`${modules} modules, ${violations.length} violations`)
  process.exitCode = isFine ? 0 : 1
}
