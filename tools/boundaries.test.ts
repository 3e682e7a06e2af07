import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, test } from 'vitest'
import { checkBoundaries } from './boundaries.ts'
import { roomOrder } from './boundaryRules.ts'
import { tableOwners } from './tableOwners.ts'

const project = resolve(import.meta.dirname, '..')
const trees: string[] = []
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true })
})

type Files = Record<string, string>

/** The files that are imported and not given. */
const importedBy = (files: Files): string[] =>
  Object.entries(files).flatMap(([file, text]) =>
    text.includes('// missing')
      ? []
      : [...text.matchAll(/from '(\.[^']+)'/g)]
          .map(([, path]) => join(dirname(file), path!))
          .filter((target) => files[target] === undefined),
  )

/** The rules that a tree of these files breaks, each with the file that breaks it. Files that are imported and not given are empty. */
async function breaches(files: Files): Promise<{ rule: string; file: string }[]> {
  const root = mkdtempSync(join(tmpdir(), 'boundaries-'))
  trees.push(root)
  for (const folder of ['src', 'api', 'workers', 'local', 'ops', 'grafana', 'trials', 'tools', 'clients'])
    mkdirSync(join(root, folder))
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  cpSync(join(project, 'package.json'), join(root, 'package.json'))
  const empty: Files = Object.fromEntries(importedBy(files).map((file) => [file, 'export const x = 1\n']))
  for (const [file, text] of Object.entries({ ...empty, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const { violations } = await checkBoundaries(root)
  return violations.map(({ rule, from }) => ({ rule, file: from.replace(/:\d+$/, '') }))
}

const distinct = (rules: readonly string[]) => [...new Set(rules)].sort()

const brokenBy = async (files: Files): Promise<string[]> => distinct((await breaches(files)).map(({ rule }) => rule))

const filesOf = (files: Files): string[] => [...Object.keys(files), ...importedBy(files)]

/** Those that have no file in common stand together. */
function grouped(all: readonly Files[]): Files[][] {
  const groups: Files[][] = []
  for (const files of all) {
    const own = filesOf(files)
    const free = groups.find((group) => !group.flatMap(filesOf).some((file) => own.includes(file)))
    if (free) free.push(files)
    else groups.push([files])
  }
  return groups
}

/** The rules that each of these breaks. A group is one tree: a check costs far more than a file. */
async function brokenByEach(all: readonly Files[]): Promise<Map<Files, string[]>> {
  const found = new Map(all.map((files) => [files, [] as string[]]))
  for (const group of grouped(all)) {
    for (const { rule, file } of await breaches(Object.assign({}, ...group))) {
      // A room without a place is a folder.
      const own = group.find((files) => filesOf(files).some((one) => one === file || one.startsWith(`${file}/`)))
      assert.ok(own, `${file} breaks ${rule}`)
      found.set(own, distinct([...found.get(own)!, rule]))
    }
  }
  return found
}

const use = (path: string) => `import { x } from '${path}'\nx()\n`
const useType = (path: string) => `import type { x } from '${path}'\nlet y: typeof x\n`

const broken: [rule: string, files: Files][] = [
  ['api-and-workers-apart', { 'api/server.ts': use('../workers/pools.ts') }],
  ['api-and-workers-apart', { 'workers/pools.ts': useType('../api/server.ts') }],
  ['src-knows-no-door', { 'src/events/create.ts': use('../../api/server.ts') }],
  ['product-without-tools', { 'api/main.ts': use('../ops/migrate.ts') }],
  ['product-without-tools', { 'workers/main.ts': useType('../clients/typescript/src/entry.ts') }],
  ['clients-stand-alone', { 'clients/cli/src/main.ts': useType('../../../src/shapes/ids.ts') }],
  ['client-runs-anywhere', { 'clients/typescript/src/send.ts': "import { x } from 'node:http'\nx()\n" }],
  ['command-line-over-the-client', { 'clients/cli/src/main.ts': use('../../typescript/src/send.ts') }],
  ['product-without-tests', { 'api/main.ts': use('../src/testing/factories.ts') }],
  ['product-without-tests', { 'src/events/edit.ts': use('./some.test.ts') }],
  ['commit-imports-downward', { 'src/commit/commit.ts': useType('../events/present.ts') }],
  ['queries-are-private', { 'src/proposals/create.ts': use('../calendars/queries.ts') }],
  ['queries-are-private', { 'api/routes/events.ts': use('../../src/events/queries.ts') }],
  ['queries-are-private-to-webhooks', { 'src/deliveries/claims.ts': use('../organizations/queries.ts') }],
  ['agents-imports-downward', { 'src/agents/agents.ts': use('../calendars/calendars.ts') }],
  ['plans-imports-downward', { 'src/plans/plans.ts': useType('../quotas/epoch.ts') }],
  ['errors.ts-imports-downward', { 'src/errors.ts': use('./config.ts') }],
  ['api-gate-imports-downward', { 'api/gate/gate.ts': useType('../pages/html.ts') }],
  ['ops-imports-downward', { 'ops/migrate.ts': use('./cli/text.ts') }],
  ['ops-cli-imports-downward', { 'ops/cli/queues.ts': use('../../local/ports.ts') }],
  ['local-imports-downward', { 'local/stack.ts': use('../trials/run.ts') }],
  ['no-cycles', { 'src/events/a.ts': use('./b.ts'), 'src/events/b.ts': use('./a.ts') }],
  [
    'no-cycles',
    {
      'src/events/a.ts': `${useType('./b.ts')}export { x }\n`,
      'src/events/b.ts': `${useType('./a.ts')}export { x }\n`,
    },
  ],
  ['one-door-for-postgres', { 'src/events/move.ts': "import postgres from 'postgres'\npostgres()\n" }],
  ['one-door-for-ioredis', { 'src/quotas/meter.ts': "import type { Redis } from 'ioredis'\nlet redis: Redis\n" }],
  ['one-door-for-bullmq', { 'workers/pools.ts': "import { Worker } from 'bullmq'\nnew Worker('x')\n" }],
  ['one-door-for-undici', { 'src/imports/sync.ts': "import { request } from 'undici'\nrequest('x')\n" }],
  ['one-door-for-prom-client', { 'api/gate/gate.ts': "import { Counter } from 'prom-client'\nnew Counter()\n" }],
  ['one-door-for-express', { 'src/process.ts': "import express from 'express'\nexpress()\n" }],
  ['no-development-packages', { 'src/events/cancel.ts': "import rrule from 'rrule'\nrrule()\n" }],
  ['everything-resolves', { 'src/events/confirm.ts': `${use('./gone.ts')}// missing\n` }],
  ['every-room-has-its-place', { 'src/meetings/create.ts': '' }],
  ['every-room-has-its-place', { 'src/loose.ts': '' }],
  ['no-sql-at-the-doors', { 'api/health.ts': 'const x = (sql: any) => sql`select 1`\n' }],
  ['one-owner-writes-a-table', { 'src/events/writes.ts': 'const x = (sql: any) => sql`update calendars set x = 1`\n' }],
  ['one-change-one-statement', { 'src/events/release.ts': 'const x = (sql: any) => sql.begin(() => 1)\n' }],
  ['plain-english', { 'src/events/renew.ts': '// What is due is fired.\n' }],
  ['pure-without-io', { 'src/events/rules.ts': "import { readFileSync } from 'node:fs'\nreadFileSync('x')\n" }],
  [
    'pure-without-io',
    { 'src/events/rules.ts': use('../quotas/daily.ts'), 'src/quotas/daily.ts': use('../stores/redis.ts') },
  ],
  ['pure-without-io', { 'src/recurrence/expand.ts': use('../stores/postgres.ts') }],
]

let rulesOf: ReturnType<typeof brokenByEach> | undefined

for (const [rule, files] of broken) {
  test(`${Object.keys(files).join(' and ')} can break ${rule}`, async () => {
    rulesOf ??= brokenByEach(broken.map(([, files]) => files))
    assert.deepEqual((await rulesOf).get(files), [rule])
  })
}

test('what the layers allow breaks nothing', async () => {
  const files = {
    'api/routes/events.ts': use('../../src/events/create.ts'),
    'workers/timers.ts': use('../src/events/create.ts'),
    'src/events/create.ts': `${use('./queries.ts')}import { z } from '../calendars/calendars.ts'\nexport { x }\n`,
    'src/calendars/calendars.ts': 'export const z = 1\n',
    'src/events/present.ts': useType('../app.ts'),
    'src/events/create.test.ts': "import rrule from 'rrule'\nimport { x } from '../testing/harness.ts'\nrrule(x)\n",
    'src/testing/harness.ts': `${use('../../api/server.ts')}export { x }\n`,
  }
  assert.deepEqual(await brokenBy(files), [])
})

test('an export that no other file imports is refused, a value or a type, in whatever form', async () => {
  const forms = [
    'export const a = 1',
    'export async function a() {}',
    'export class A {}',
    'export type A = 1',
    'export interface A {}',
    'const a = 1\nexport { a as x, a }',
    'export const { a } = process.env',
    'export default 1',
    "export * from 'node:path'",
    'export const a = 1, x = 2',
  ]
  const trees = forms.map((unused, nth) => ({
    [`src/events/a${nth}.ts`]: `${unused}\nconst own = () => a\n`,
    [`src/events/b${nth}.ts`]: `import { x } from './a${nth}.ts'\n`,
  }))
  const found = await brokenByEach(trees)
  for (const [nth, files] of trees.entries())
    assert.deepEqual(found.get(files), ['every-export-is-imported'], forms[nth])
})

test('an export that another file imports may be one, in whatever form', async () => {
  const users = [
    "import { a } from './a.ts'",
    "import { b, a as c } from './a.ts'",
    "import type { a } from './a.ts'",
    "import { type a } from './a.ts'",
    "import * as all from './a.ts'\nall.a()",
    "const { b, a } = await import('./a.ts')",
  ]
  const trees = users.map((user, nth) => ({
    [`src/events/a${nth}.ts`]: 'export const a = 1\n',
    [`src/events/b${nth}.ts`]: `${user.replace('./a.ts', `./a${nth}.ts`)}\n`,
  }))
  const found = await brokenByEach(trees)
  for (const [nth, files] of trees.entries()) assert.deepEqual(found.get(files), [], users[nth])
  const passedOn = { 'src/events/a.ts': 'export const a = 1\n', 'src/events/b.ts': "export { a as b } from './a.ts'\n" }
  assert.deepEqual(await brokenBy({ ...passedOn, 'api/c.ts': "import { b } from '../src/events/b.ts'\n" }), [])
  assert.deepEqual(await brokenBy(passedOn), ['every-export-is-imported'])
})

test('a namespace uses the members that are named, and a name belongs to its file', async () => {
  const rule = ['every-export-is-imported']
  const files = {
    'src/events/a.ts': 'export const a = 1\n',
    'src/events/b.ts': "import * as all from './a.ts'\nall.b()\n",
  }
  assert.deepEqual(await brokenBy(files), rule)
  const other = {
    'src/events/a.ts': 'export const a = 1\n',
    'api/http/a.ts': '',
    'api/http/b.ts': "import { a } from './a.ts'\n",
  }
  assert.deepEqual(await brokenBy(other), rule)
})

test('every table has an owner, which is a room', () => {
  const schema = readFileSync(join(project, 'migrations/schema.sql'), 'utf8')
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table!)
  const ofDbmate = 'schema_migrations'
  const partitions = /^audit_entries_\d/
  assert.deepEqual(
    tables.filter((table) => table !== ofDbmate && !partitions.test(table)).sort(),
    Object.keys(tableOwners).sort(),
  )
  const owners = Object.values(tableOwners).flatMap((owner) =>
    typeof owner === 'string' ? owner : Object.values(owner),
  )
  for (const owner of owners) assert.ok(roomOrder.includes(owner), owner)
})
