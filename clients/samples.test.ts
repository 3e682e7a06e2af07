// The samples of the reference, run as a reader would: curl in a shell, TypeScript and Python with the packed clients.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ApiDocument, operationsOf } from '../api/docs/operations.ts'
import { samplesOf } from '../api/docs/samples.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { installPackages } from './testing/package.ts'
import { findPython, startPython } from './testing/python.ts'
import { makeSampleWorld, openSampleDoor, type Sample } from './testing/sampleWorld.ts'

const root = join(import.meta.dirname, '..')

/** Removals come last, in the reverse of the document's order: a calendar before its agent. */
const endOf = ({ method, operationId }: { method: string; operationId: string }): number =>
  /^(deleteAccount|signOut)/.test(operationId) ? 3 : /^regenerate/.test(operationId) ? 2 : method === 'DELETE' ? 1 : 0

const test = serviceTest({ env: { TRUSTED_PROXIES: 'loopback' } })
  .extend('installed', perFile, ({ options: _ }, { onCleanup }) => {
    const installed = installPackages()
    onCleanup(installed.close)
    return installed
  })
  .extend('samples', perFile, async ({ service, call }) => {
    await service.clock.set(new Date('2026-11-30T09:00:00Z'))
    const api: ApiDocument = (await call('GET', '/openapi.json')).body
    const all = samplesOf(api)
    // The stream never ends.
    const order = operationsOf(api).filter(({ operationId }) => operationId !== 'streamChanges')
    const sorted = order.toReversed().sort((one, other) => endOf(one) - endOf(other))
    sorted.unshift(...sorted.splice(0, order.filter((one) => endOf(one) === 0).length).reverse())
    return (label: string): Sample[] =>
      sorted.map(({ operationId: id, method: http, path }) => {
        const { source } = all.get(id)!.find((one) => one.label === label)!
        return { id, http, path, source }
      })
  })
  // Runs every sample in a world of its own; `runner` gets them as they are to be run.
  .extend(
    'answersOf',
    perFile,
    ({ service, samples }) =>
      async (label: string, runner: (filled: readonly Sample[], env: Record<string, string>) => Promise<string>) => {
        const door = await openSampleDoor(service)
        try {
          const { env, fill } = await makeSampleWorld(service, door.url, label)
          const all = samples(label)
          const printed = await runner(all.map(fill), env)
          for (const { id, http, path } of all) {
            const made = door.noted.filter((one) => one.id === id)
            assert.ok(made.length > 0, `${id} of ${label} asked nothing\n${printed}`)
            const expected = new RegExp(`^${path.replace(/[.]/g, '[.]').replace(/\{\w+\}/g, '[^/]+')}([?]|$)`)
            for (const one of made)
              assert.ok(one.http === http && expected.test(one.path), `${id}: ${one.http} ${one.path}`)
          }
          return Object.fromEntries(door.noted.map(({ id, status }) => [id, status]))
        } finally {
          await door.close()
        }
      },
  )
  .extend('ofCurl', perFile, ({ answersOf }) =>
    answersOf('curl', async (filled, env) => {
      const lines = filled.map(({ source }) => `${source.replace('curl ', 'curl -sS -o /dev/null ')} || echo failed`)
      return run('bash', ['-c', lines.join('\n')], env)
    }),
  )

/** Everything that it prints. */
async function run(
  command: string,
  words: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<string> {
  const child = spawn(command, words, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
}

test('most samples for curl succeed, and none is invalid', ({ ofCurl }) => {
  const answers = Object.entries(ofCurl)
  const succeeded = answers.filter(([, answer]) => answer < 400)
  assert.ok(succeeded.length > answers.length * 0.6, JSON.stringify(ofCurl, null, 1))
})

test('the samples for TypeScript have the types of the client, and are answered as those for curl', async ({
  installed: { folder },
  answersOf,
  ofCurl,
}) => {
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  symlinkSync(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  const answers = await answersOf('TypeScript', async (filled, env) => {
    const files = filled.map(({ id }) => `${id}.ts`)
    for (const { id, source } of filled) writeFileSync(join(folder, `${id}.ts`), source)
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
    const complaints = await run(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...files],
      {},
      folder,
    )
    assert.equal(complaints, '')
    writeFileSync(
      join(folder, 'all.mjs'),
      `import { ApiError } from '@agent-calendar/client'
       for (const file of ${JSON.stringify(files)}) {
         try { await import('./' + file) } catch (error) { if (!(error instanceof ApiError)) console.error('failed', file, error) }
       }`,
    )
    return run(process.execPath, ['all.mjs'], { NODE_NO_WARNINGS: '1', ...env }, folder)
  })
  assert.deepEqual(answers, ofCurl)
})

const python = findPython()!

test.skipIf(!python)(
  'the samples for Python are answered as those for curl (skipped where there is no Python)',
  async ({ installed: { folder }, answersOf, ofCurl }) => {
    const answers = await answersOf('Python', async (filled, env) => {
      const code = `
import json, sys
from agent_calendar import ApiError
for one in json.load(open(sys.argv[1])):
    try:
        exec(compile(one["source"], one["id"], "exec"), {})
    except ApiError:
        pass
    except Exception as error:
        print("failed", one["id"], repr(error))`
      const file = join(folder, 'samples.json')
      writeFileSync(file, JSON.stringify(filled))
      const { out, err } = await startPython(python, ['-c', code, file], env).ended
      return out + err
    })
    assert.deepEqual(answers, ofCurl)
  },
)
