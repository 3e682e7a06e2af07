import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { perFile } from '../src/testing/test.ts'
import { blocksOf } from '../tools/documents/markdown.ts'
import { commandLineTest } from './testing/commandLine.ts'
import { installPackages, nodes } from './testing/package.ts'

const root = join(import.meta.dirname, '..')
const readText = (file: string) => readFileSync(join(root, file), 'utf8')

const test = commandLineTest()
  .extend('installed', perFile, ({ options: _ }, { onCleanup }) => {
    const installed = installPackages()
    onCleanup(installed.close)
    return installed
  })
  .extend(
    'run',
    perFile,
    ({ installed, service, key }) =>
      async (command: string, words: readonly string[], env = {}) => {
        const child = spawn(command, words, {
          cwd: installed.folder,
          env: { PATH: process.env.PATH, AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: service.baseUrl, ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const [out, err, code] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          new Promise((resolve) => child.once('close', resolve)),
        ])
        assert.equal(code, 0, `${command} ${words.join(' ')}\n${out}${err}`)
        return out
      },
  )

test('the packages have what was compiled, and neither sources nor tests', ({ installed: { files } }) => {
  for (const [name, list] of Object.entries(files)) {
    const rest = list.filter(
      (file) => !/^dist\/.*\.js$/.test(file) && !(name === 'client' && /^dist\/.*\.d\.ts$/.test(file)),
    )
    assert.deepEqual(rest, ['README.md', 'package.json'], name)
    assert.deepEqual(
      list.filter((file) => /test/.test(file)),
      [],
      name,
    )
  }
  assert.ok(files.client.includes('dist/entry.js') && files.client.includes('dist/entry.d.ts'))
  assert.ok(files.cli.includes('dist/cli/src/main.js'))
})

test('both packages name what they need in the versions that are tried here', () => {
  const own = JSON.parse(readText('package.json'))
  const cli = JSON.parse(readText('clients/cli/package.json'))
  assert.deepEqual(cli.dependencies, { commander: own.devDependencies.commander })
  assert.equal(JSON.parse(readText('clients/typescript/package.json')).dependencies, undefined)
})

for (const node of nodes()) {
  test(`the packed client and the packed command line run on ${node}`, async ({ installed, run, service }) => {
    writeFileSync(
      join(installed.folder, 'use.mjs'),
      `import { AgentCalendar, verifyWebhook } from '@agent-calendar/client'
       const calendar = new AgentCalendar()
       const { cursor } = await calendar.changes.list()
       const { id } = await calendar.agents.create({ name: 'Packed', type: 'ai' })
       for await (const step of calendar.changes.follow({ cursor })) if (step.kind === 'changes') break
       let count = 0
       for await (const agent of calendar.agents.list({ limit: 1 })) count++
       console.log(id, count > 0, typeof verifyWebhook)`,
    )
    assert.match(await run(node, ['use.mjs']), /^agt_\w+ true function\n$/)
    const cli = join(installed.folder, 'node_modules/@agent-calendar/cli/dist/cli/src/main.js')
    assert.equal(await run(node, [cli, '--version']), '0.1.0\n')
    assert.match(await run(node, [cli, 'agents', 'list']), /^id +name/)
    assert.match(await run(node, [cli, 'status']), new RegExp(service.baseUrl))
  })
}

const examples = blocksOf(readText('clients/typescript/README.md')).filter(({ language }) => language === 'ts')

test('the examples of the client have the types of the package, for Node and for browsers', async ({
  installed,
  run,
}) => {
  examples.forEach(({ text: code }, nth) => void writeFileSync(join(installed.folder, `example${nth}.ts`), code))
  symlinkSync(join(root, 'node_modules/@types'), join(installed.folder, 'node_modules/@types'))
  symlinkSync(join(root, 'node_modules/undici-types'), join(installed.folder, 'node_modules/undici-types'))
  const files = examples.map((_, nth) => `example${nth}.ts`)
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, ...flags, '--types', 'node', ...files])
  const forBrowsers = files.filter((_, nth) => !examples[nth]!.text.includes('process.env'))
  await run(process.execPath, [tsc, ...flags, '--types', '', '--lib', 'es2023,dom,dom.iterable', ...forBrowsers])
})

test('the examples of the client do what they say', async ({ installed, run, service }) => {
  await service.clock.set(new Date('2026-11-20T09:00:00Z'))
  const printed: string[] = []
  for (const [nth, { text: code }] of examples.entries()) {
    const file = join(installed.folder, `run${nth}.ts`)
    writeFileSync(file, code)
    printed.push(await run(process.execPath, [file]))
  }
  const all = printed.join('')
  assert.match(all, /^Tuesday 1 December 2026, 10:00–10:30 \(Europe\/Berlin, UTC\+01:00\)$/m)
  assert.match(all, /^Scheduler, one of \d+$/m)
  assert.match(all, /^nonexistent_local_time start_time 2027-03-28T03:30/m)
  assert.match(all, /^agent\.created agt_/m)
})

test('the example of a receiver accepts what the service sends, and nothing else', async ({
  installed,
  service,
  calendar,
}) => {
  const file = join(installed.folder, 'receiver.ts')
  writeFileSync(file, examples.find(({ text: code }) => code.includes('POST'))!.text)
  const { POST } = (await import(pathToFileURL(file).href)) as { POST(request: Request): Promise<Response> }
  const statuses: number[] = []
  const server = createServer(async (req, res) => {
    const body = await text(req)
    for (const sent of [body, `${body} `]) {
      const headers = new Headers(req.headers as Record<string, string>)
      statuses.push((await POST(new Request('http://localhost/', { method: 'POST', headers, body: sent }))).status)
    }
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // The example compares with the clock of the machine.
    await service.clock.set(new Date())
    const { port } = server.address() as { port: number }
    const made = await calendar.webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ['event.created'] })
    process.env.WEBHOOK_SECRET = made.secret
    const { id } = await calendar.calendars.create({ name: 'Hooks', timezone: 'UTC' })
    const now = Date.now()
    const times = { start_time: new Date(now + 3_600_000), end_time: new Date(now + 7_200_000) }
    await calendar.events.create(id, { title: 'Sent', ...times })
    await service.drain()
    assert.deepEqual(statuses, [204, 401])
  } finally {
    delete process.env.WEBHOOK_SECRET
    server.close()
  }
})

test('the commands of the README run as they are written', async ({ installed, run }) => {
  const blocks = blocksOf(readText('clients/cli/README.md')).filter(({ language }) => language === 'sh')
  const [, commands] = blocks.map(({ text: code }) => code)
  const bin = join(installed.folder, 'agent-calendar')
  const main = join(installed.folder, 'node_modules/@agent-calendar/cli/dist/cli/src/main.js')
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  // Not every machine has jq; this reads one field, as the README does with it.
  writeFileSync(
    join(installed.folder, 'jq'),
    `#!/bin/sh\nexec '${process.execPath}' -p 'JSON.parse(require("fs").readFileSync(0)).id'\n`,
  )
  for (const name of ['agent-calendar', 'jq']) chmodSync(join(installed.folder, name), 0o755)
  const path = `${installed.folder}:${process.env.PATH}`
  const printed = await run('bash', ['-euo', 'pipefail', '-c', commands!], { PATH: path })
  assert.match(printed, /^title +Planning$/m)
  assert.ok(Array.isArray(JSON.parse(readFileSync(join(installed.folder, 'agents.json'), 'utf8'))))
})
