// Errors of a real Redis that is reached and refuses: full, read-only, busy, without its disk, closed to scripts. The service goes on.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startRedis } from '../local/redis.ts'
import { freshEmail, password } from '../src/testing/accounts.ts'
import { makeAgent, makeCalendar } from '../src/testing/factories.ts'
import { openProcess } from '../src/testing/process.ts'
import { perFile, serviceTest } from '../src/testing/test.ts'
import { until } from '../src/testing/until.ts'

const test = serviceTest().extend('refusing', perFile, async ({ service }, { onCleanup }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-redis-'))
  const store = await startRedis({ dataDir, durable: false })
  const process = await openProcess(service, { config: { redisUrl: store.url } })
  const operator = new Redis(store.url)
  onCleanup(async () => {
    operator.disconnect()
    await process.close()
    await store.stop()
    rmSync(dataDir, { recursive: true })
  })
  await until(() => process.app.redis.status === 'ready')
  const config = (name: string, value: string) => operator.config('SET', name, value)
  return { ...process, operator, config, directory: join(dataDir, 'redis') }
})

type Trouble = { name: string; says: RegExp; begin: (redis: Refusing) => unknown; end: (redis: Refusing) => unknown }
type Refusing = { operator: Redis; config(name: string, value: string): Promise<unknown>; directory: string }

const troubles: Trouble[] = [
  {
    name: 'is full',
    says: /^OOM/,
    begin: ({ config }) => config('maxmemory', '1'),
    end: ({ config }) => config('maxmemory', '0'),
  },
  {
    name: 'is a replica now',
    says: /^READONLY/,
    begin: ({ operator }) => operator.replicaof('127.0.0.1', 1),
    end: ({ operator }) => operator.replicaof('NO', 'ONE'),
  },
  {
    name: 'is a replica without its master, which tells nothing old',
    says: /^MASTERDOWN/,
    async begin({ operator, config }) {
      await config('replica-serve-stale-data', 'no')
      await operator.replicaof('127.0.0.1', 1)
    },
    async end({ operator, config }) {
      await operator.replicaof('NO', 'ONE')
      await config('replica-serve-stale-data', 'yes')
    },
  },
  {
    name: 'cannot write to its disk',
    says: /^MISCONF/,
    async begin({ operator, config, directory }) {
      mkdirSync(join(directory, 'dump.rdb', 'no-file'), { recursive: true })
      await config('save', '1 1')
      await operator.bgsave()
      await until(async () => /rdb_last_bgsave_status:err/.test(await operator.info('persistence')))
    },
    end: ({ config }) => config('save', ''),
  },
  {
    name: 'is closed to scripts',
    says: /^NOPERM/,
    begin: ({ operator }) => operator.call('ACL', 'SETUSER', 'default', '-@scripting', '-@write'),
    end: ({ operator }) => operator.call('ACL', 'SETUSER', 'default', '+@all'),
  },
]

for (const { name, says, begin, end } of troubles) {
  test(`no request fails while Redis ${name}`, async ({ service, refusing, key }) => {
    const agent = await makeAgent(service, key)
    const calendar = await makeCalendar(service, key, agent.id)
    await begin(refusing)
    try {
      const tries = [refusing.operator.set('anything', '1'), refusing.operator.get('anything')]
      const refusals = (await Promise.allSettled(tries)).flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as Error).message] : [],
      )
      assert.ok(
        refusals.some((text) => says.test(text)),
        refusals.join(),
      )
      const email = freshEmail()
      const event = { title: 'Plan', start_time: '2026-03-04T09:00:00Z', end_time: '2026-03-04T10:00:00Z' }
      const calls: [number, string, string, object?, Record<string, string>?][] = [
        [200, 'GET', '/readyz'],
        [200, 'GET', '/v1/agents'],
        [201, 'POST', '/v1/agents', { name: 'Ada', type: 'ai' }, { 'idempotency-key': `redis-${says.source}` }],
        [201, 'POST', `/v1/calendars/${calendar.id}/events`, event],
        [200, 'GET', `/v1/agents/${agent.id}/availability?start=2026-03-04T09:00:00Z&end=2026-03-04T10:00:00Z`],
        [200, 'GET', '/v1/changes?limit=1'],
        [200, 'GET', '/v1/usage'],
        [401, 'POST', '/v1/auth/signin', { email, password }],
        [202, 'POST', '/v1/auth/password/forgot', { email }],
        [404, 'GET', '/book/no-such-page'],
        [404, 'GET', `/connect/${'a'.repeat(43)}`],
      ]
      for (const [status, method, path, body, headers] of calls) {
        const answer = await refusing.call(method, path, { key, ...(body && { body }), ...(headers && { headers }) })
        assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      }
    } finally {
      await end(refusing)
    }
    assert.equal(await refusing.operator.set('anything', '1'), 'OK')
  })
}

test('nor while a script keeps it busy', async ({ refusing, key }) => {
  await refusing.config('busy-reply-threshold', '1')
  const busy = refusing.operator.duplicate()
  const script = busy.eval('while true do end', 0).then(() => '', String)
  await until(async () => /BUSY/.test(await refusing.operator.set('anything', '1').then(() => '', String)))
  try {
    for (const path of ['/v1/agents', '/v1/usage']) {
      const { status, body } = await refusing.call('GET', path, { key })
      assert.equal(status, 200, JSON.stringify(body))
    }
  } finally {
    await refusing.operator.script('KILL')
  }
  assert.match(await script, /killed/i)
  busy.disconnect()
})
