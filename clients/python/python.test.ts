import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe } from 'vitest'
import { clientOperations } from '../../api/openapi/clientOperations.ts'
import { pythonName } from '../../api/openapi/pythonName.ts'
import { perFile } from '../../src/testing/test.ts'
import { readDocument } from '../../tools/clients/readDocument.ts'
import { blocksOf } from '../../tools/documents/markdown.ts'
import { clientTest } from '../testing/client.ts'
import { findBuilder, findPython, pythonFolder, startPython } from '../testing/python.ts'

const python = findPython()!
const builder = findBuilder()!

const test = clientTest()
  .extend('python', perFile, ({ service, key }) => (words: readonly string[], env = {}) => {
    return startPython(python, words, { AGENT_CALENDAR_KEY: key, AGENT_CALENDAR_URL: service.baseUrl, ...env })
  })
  .extend('run', perFile, ({ python: start }) => async (words: readonly string[], env = {}) => {
    const { code, out, err } = await start(words, env).ended
    assert.equal(code, 0, `${out}${err}`)
    return out
  })

const examples = blocksOf(readFileSync(join(pythonFolder, 'README.md'), 'utf8'))
  .filter(({ language }) => language === 'python')
  .map(({ text }) => text)
const isReceiver = (code: string) => code.includes('do_POST')

describe.skipIf(!python)('the Python client (skipped where there is no Python 3.11)', () => {
  for (const file of readdirSync(join(pythonFolder, 'tests')).filter((name) => name.startsWith('test_'))) {
    test(`${basename(file)} passes`, async ({ run }) => {
      await run(['-W', 'error', file])
    })
  }

  test('every operation is a method of its group', async ({ run }) => {
    const code = `
import agent_calendar, json
from agent_calendar.generated import operations
from agent_calendar.operation import Operation
client = agent_calendar.AgentCalendar()
places = {name: one.place for name, one in vars(operations).items() if isinstance(one, Operation)}
for place in places.values():
    group, method = place.split(".")
    assert callable(getattr(getattr(client, group), method)), place
print(json.dumps(places))`
    const expected = clientOperations(readDocument()).map(({ id, group, method }) => [
      pythonName(id),
      `${pythonName(group)}.${pythonName(method)}`,
    ])
    assert.deepEqual(JSON.parse(await run(['-c', code])), Object.fromEntries(expected))
  })

  test('every type has only names that are defined', async ({ run }) => {
    const code = `
import pkgutil, typing, importlib, agent_calendar.generated as made
count = 0
for found in pkgutil.iter_modules(made.__path__):
    module = importlib.import_module(f"agent_calendar.generated.{found.name}")
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            typing.get_type_hints(value)
            for method in vars(value).values():
                if callable(method):
                    typing.get_type_hints(method)
            count += 1
print(count > 200)`
    assert.equal(await run(['-c', code]), 'True\n')
  })

  test('the examples do what they say', async ({ run, service }) => {
    await service.clock.set(new Date('2026-11-20T09:00:00Z'))
    let printed = ''
    for (const code of examples.filter((one) => !isReceiver(one))) printed += await run(['-W', 'error', '-c', code])
    assert.match(printed, /^Tuesday 1 December 2026, 10:00–10:30 \(Europe\/Berlin, UTC\+01:00\)$/m)
    assert.match(printed, /^Scheduler, one of \d+$/m)
    assert.match(printed, /^nonexistent_local_time start_time 2027-03-28T03:30/m)
    assert.match(printed, /^agent\.created agt_/m)
    assert.match(printed, /^2026-12-01T10:00:00\+01:00\[Europe\/Berlin\]\nEurope\/Berlin$/m)
    assert.ok(!printed.includes('Somebody else'))
  })

  test('the example of a receiver accepts what the service sends, and nothing else', async ({
    python: start,
    service,
    calendar,
  }) => {
    // The example compares with the clock of the machine.
    await service.clock.set(new Date())
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const made = await calendar.webhooks.create({ url, events: ['event.created'], standard: true })
    const receiver = start(['-c', examples.find(isReceiver)!], { WEBHOOK_SECRET: made.secret, PORT: String(port) })
    try {
      const post = () => fetch(url, { method: 'POST', body: '{}', headers: { 'x-timestamp': '1' } })
      let answer = await post().catch(() => undefined)
      for (let tries = 0; !answer && tries < 200; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        answer = await post().catch(() => undefined)
      }
      assert.equal(answer?.status, 401)
      const { id } = await calendar.calendars.create({ name: 'Hooks', timezone: 'UTC' })
      const now = Date.now()
      const times = { start_time: new Date(now + 3_600_000), end_time: new Date(now + 7_200_000) }
      await calendar.events.create(id, { title: 'Sent', ...times })
      await service.drain()
      const { data } = await calendar.webhooks.listDeliveries(made.id, { include_attempt: true })
      assert.equal(data[0]?.last_attempt?.http_status, 204)
    } finally {
      receiver.stop()
    }
    assert.match((await receiver.ended).out, /^Sent$/m)
  })

  test('a cursor that the service has forgotten is a resync', async ({ run, service, calendar }) => {
    const { cursor } = await calendar.changes.list()
    await calendar.agents.create({ name: 'Forgotten', type: 'ai' })
    await service.clock.advance(40 * 24 * 3600 * 1000)
    await service.drain()
    const code = `
import agent_calendar, sys
print(next(agent_calendar.AgentCalendar().changes.follow(sys.argv[1])))`
    assert.match(await run(['-c', code, cursor]), /^Resync\(lists=\['\/v1\/agents',.*reason='too_old'/)
  })

  test.skipIf(!builder)(
    'the package has its sources and their types (skipped where setuptools is missing)',
    async () => {
      const run = async (words: readonly string[], env = {}) => {
        const { code, out, err } = await startPython(builder, words, env).ended
        assert.equal(code, 0, `${out}${err}`)
        return out
      }
      const build = mkdtempSync(join(tmpdir(), 'python-client-'))
      try {
        cpSync(pythonFolder, build, { recursive: true })
        const words = ['--no-deps', '--no-build-isolation', '--no-index', '--disable-pip-version-check']
        await run(['-m', 'pip', 'install', ...words, '--target', join(build, 'user'), build])
        const inside = (folder: string) =>
          globSync('agent_calendar/**/*.{py,typed}', { cwd: join(build, folder) }).sort()
        assert.deepEqual(inside('user'), inside('src'))
        assert.ok(inside('user').includes('agent_calendar/py.typed'))
        writeFileSync(
          join(build, 'use.py'),
          'import agent_calendar.client as made; print(made.__file__, made._version())',
        )
        const printed = await run([join(build, 'use.py')], { PYTHONPATH: join(build, 'user') })
        assert.equal(printed, `${join(build, 'user/agent_calendar/client.py')} 0.1.0\n`)
      } finally {
        rmSync(build, { recursive: true })
      }
    },
  )
})

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
