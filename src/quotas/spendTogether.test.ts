import assert from 'node:assert/strict'
import type { App } from '../app.ts'
import { periodAt, periodMs } from '../plans/period.ts'
import { type Limit, plans } from '../plans/plans.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import { testStart } from '../testing/harness.ts'
import { openProcess } from '../testing/process.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { openWay } from '../testing/wayToPostgres.ts'
import type { Budget } from './budget.ts'
import { counterField, gateHashOf, gateKey } from './gateHash.ts'
import type { Spender } from './spender.ts'
import { openSpendTogether } from './spendTogether.ts'

const test = serviceTest()
  .extend('spend', perFile, ({ service }) => openSpendTogether(service.app, () => undefined))
  /** A process that reaches Redis over a way of its own. */
  .extend('way', async ({ service }, { onCleanup }) => {
    const way = await openWay(service.app.config.redisUrl)
    onCleanup(async () => void (await way.close()))
    return way
  })
  .extend('far', async ({ service, way }, { onCleanup }) => {
    const far = await openProcess(service, { config: { redisUrl: way.url } })
    onCleanup(far.close)
    await untilReady(far.app)
    return far
  })

async function untilReady({ redis }: App) {
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve))
}

/** The driver may have given up the connection, or have the late answers still before it. */
async function untilAnswering(app: App) {
  for (;;) {
    await untilReady(app)
    if (await app.redis.ping().catch(() => undefined)) return
    await new Promise(setImmediate)
  }
}

type Facts = { orgId: Uuid; bucket?: string; rate?: number | null; burst?: number; calls?: Limit; events?: Limit }

const period = periodAt(testStart, testStart)

const spenderOf = ({ orgId, bucket = orgId, rate = null, burst, calls = null, events = null }: Facts): Spender => ({
  orgId,
  bucket,
  epoch: 'epoch',
  requestsPerSecond: rate,
  ...(burst !== undefined && { burst }),
  limits: { ...plans.custom.limits, api_calls: calls, events },
  period,
})

/** An organization of which Redis knows the epoch and both counters. */
async function known(app: App, orgId: Uuid, used = { calls: 0, events: 0 }) {
  const hash = gateHashOf(app)
  await hash.setEpoch(orgId, 'epoch')
  await hash.seed({ orgId, budget: 'api_calls', period }, used.calls)
  await hash.seed({ orgId, budget: 'events', period }, used.events)
}

/** mulberry32 */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (end: number) => Math.floor(next() * end)
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!
  return { next, below, oneOf }
}

type Asked = { isEvent: boolean; isFree: boolean; isDry: boolean }
type Book = { calls: number; events: number; buckets: Map<string, { tokens: number; at: number }> }

/** The rules for one request, in plain words: what each limit says, in their order. */
function spendAlone(book: Book, spender: Spender, { isEvent, isFree, isDry }: Asked, nowMs: number) {
  const { bucket, requestsPerSecond: rate, limits } = spender
  const most = spender.burst ?? rate ?? 0
  let taken: { tokens: number; at: number } | undefined
  if (rate !== null) {
    const last = book.buckets.get(bucket)
    const at = last ? Math.max(nowMs, last.at) : nowMs
    const tokens = last ? Math.min(most, last.tokens + ((at - last.at) * rate) / 1000) : most
    if (tokens < 1) return { kind: 'rate', waitMs: Math.ceil(((1 - tokens) * 1000) / rate), callsUsed: book.calls }
    taken = { tokens: tokens - 1, at }
  }
  if (!isFree && limits.api_calls !== null && book.calls >= limits.api_calls) {
    return { kind: 'quota', budget: 'api_calls', callsUsed: book.calls }
  }
  if (taken) book.buckets.set(bucket, taken)
  if (!isFree) book.calls++
  if (isEvent && limits.events !== null && book.events >= limits.events) {
    return { kind: 'quota', budget: 'events', callsUsed: book.calls }
  }
  if (isEvent && !isDry) book.events++
  return { kind: 'ok', callsUsed: book.calls }
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`groups get what as many single requests get, one after the other: random history ${seed}`, async ({
    service,
    second,
  }) => {
    const { app, clock } = service
    const random = randomFrom(seed)
    /** Of what was used so far: used up or even exceeded, soon, later, never. */
    const limit = (used: number) => random.oneOf([Math.max(0, used - random.below(5)), used + random.below(40), null])
    const rates = [null, 1, 3, 7, 10, 50]
    // Two processes, and organizations with two keys each.
    const processes = [app, second.app].map((of) => openSpendTogether(of, () => undefined))
    const parties = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const orgId = newId()
        const book: Book = { calls: random.below(10), events: random.below(10), buckets: new Map() }
        await known(app, orgId, book)
        return { book, orgId, buckets: [orgId, newId()], limits: {} }
      }),
    )
    for (let turn = 0; turn < 300; turn++) {
      // The clock may go back, by less than a bucket is kept.
      await clock.advance(random.oneOf([0, 1, 17, 100, 333, 2_000, -40, -1_500]))
      const spend = random.oneOf(processes)
      const changed = random.oneOf(parties)
      const { calls, events } = changed.book
      changed.limits = { rate: random.oneOf(rates), calls: limit(calls), events: limit(events) }
      const groups = Array.from({ length: 1 + random.below(5) }, () => {
        const { book, orgId, buckets, limits } = random.oneOf(parties)
        const burst = random.oneOf([undefined, undefined, 5, 20])
        const spender = spenderOf({ orgId, bucket: random.oneOf(buckets), burst, ...limits })
        const asked = { isEvent: random.below(2) === 0, isFree: random.below(3) === 0, isDry: random.below(3) === 0 }
        return { book, spender, asked, n: 1 + random.below(12) }
      })
      const now = clock.now().getTime()
      const budget = (isEvent: boolean): Budget | undefined => (isEvent ? 'events' : undefined)
      const answers = groups.flatMap(({ spender, asked: { isEvent, ...manner }, n }) =>
        Array.from({ length: n }, () => spend(spender, budget(isEvent), manner)),
      )
      const expected = groups.flatMap(({ book, spender, asked, n }) =>
        Array.from({ length: n }, () => spendAlone(book, spender, asked, now)),
      )
      assert.deepEqual(await Promise.all(answers), expected, `turn ${turn}`)
    }
  })
}

test('whoever knows an old epoch, or needs a counter that is not there, is told so; the others of the turn go on', async ({
  service,
  spend,
}) => {
  const [one, stale, unseeded] = [newId(), newId(), newId()]
  for (const orgId of [one, stale]) await known(service.app, orgId)
  await gateHashOf(service.app).setEpoch(stale, 'a later one')
  await gateHashOf(service.app).setEpoch(unseeded, 'epoch')
  const spenders = [one, stale, unseeded].map((orgId) => spenderOf({ orgId }))
  const ask = () => Promise.all(spenders.flatMap((spender) => [spend(spender, 'events'), spend(spender, 'events')]))
  const isStale = { kind: 'stale', epoch: 'a later one' }
  const ok = (callsUsed: number) => ({ kind: 'ok', callsUsed })
  assert.deepEqual(await ask(), [ok(1), ok(2), isStale, isStale, undefined, undefined])
  assert.deepEqual(await ask(), [ok(3), ok(4), isStale, isStale, undefined, undefined])
})

test('an organization of which Redis knows nothing gets an epoch, and a lifetime', async ({ service, spend }) => {
  const spender = spenderOf({ orgId: newId() })
  const [first, again] = await Promise.all([spend(spender, undefined), spend(spender, undefined)])
  assert.equal(first?.kind, 'stale')
  assert.deepEqual(again, first)
  assert.ok((await service.app.redis.pttl(gateKey(service.app, spender.orgId))) > 0)
})

test('more organizations than one call takes get their own answers', async ({ service, spend }) => {
  const orgIds = Array.from({ length: 450 }, newId)
  await Promise.all(orgIds.map((orgId, nth) => known(service.app, orgId, { calls: 1_000 * nth, events: 0 })))
  const spenders = orgIds.map((orgId) => spenderOf({ orgId }))
  const answers = await Promise.all([...spenders, ...spenders.toReversed()].map((spender) => spend(spender, undefined)))
  const used = answers.map((answer) => (answer?.kind === 'ok' ? answer.callsUsed : answer))
  const first = orgIds.map((_, nth) => 1_000 * nth + 1)
  assert.deepEqual(used, [...first, ...first.map((calls) => calls + 1).toReversed()])
})

test('what fails for one organization fails for it alone', async ({ service, spend }) => {
  const orgIds = [newId(), newId(), newId()]
  for (const orgId of orgIds) await known(service.app, orgId)
  const broken = gateKey(service.app, orgIds[1]!)
  await service.app.redis.del(broken)
  await service.app.redis.set(broken, 'not a hash')
  const answers = await Promise.allSettled(orgIds.map((orgId) => spend(spenderOf({ orgId }), undefined)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('what is recorded of a group is what it spent', async ({ service }) => {
  const orgId = newId()
  await known(service.app, orgId)
  const recorded: unknown[] = []
  const spend = openSpendTogether(service.app, (_, budget, calls, units) => recorded.push([budget, calls, units]))
  const spender = spenderOf({ orgId, calls: 10, events: 2 })
  const ask = (n: number, budget?: Budget) => Promise.all(Array.from({ length: n }, () => spend(spender, budget)))
  await ask(3)
  await ask(4, 'events')
  await ask(9)
  await ask(2, 'events')
  const more = { ...spender, limits: { ...spender.limits, events: 3 } }
  await Promise.all([1, 2].map(() => spend(more, 'events', { isFree: true })))
  assert.deepEqual(recorded, [
    [undefined, 3, 3],
    ['events', 4, 2],
    [undefined, 3, 3],
    ['events', 0, 1],
  ])
  recorded.length = 0
  const last = { ...more, limits: { ...more.limits, events: 4, api_calls: null } }
  await Promise.all([1, 2].map(() => spend(last, 'events', { isDry: true })))
  assert.deepEqual(recorded, [['events', 2, 0]])
})

const isOneServer = process.env.TEST_REDIS_URL?.startsWith('redis://')

test.skipIf(!isOneServer)('an answer that comes too late is nobody else’s', async ({ service, way, far }) => {
  const spend = openSpendTogether(far.app, () => undefined)
  const [early, late] = [newId(), newId()]
  await known(service.app, early, { calls: 100, events: 0 })
  await known(service.app, late, { calls: 500, events: 0 })
  const ask = (orgId: Uuid) => Promise.all([1, 2].map(() => spend(spenderOf({ orgId }), undefined)))
  // The script is known to Redis from here on.
  await ask(early)
  way.treat('hold answers')
  const lost = Promise.allSettled([ask(early), ask(early)])
  for (const { status } of await lost) assert.equal(status, 'rejected')
  way.treat('pass on')
  await untilAnswering(far.app)
  const used = (answers: Awaited<ReturnType<typeof ask>>) =>
    answers.map((answer) => (answer?.kind === 'ok' ? answer.callsUsed : answer))
  assert.deepEqual(used(await ask(late)), [501, 502])
  // Those that were given up were counted; the driver may have sent them twice.
  const [first, second] = used(await ask(early)) as [number, number]
  assert.ok(first >= 107 && first < 500 && second === first + 1, `${first}, ${second}`)
})

test.skipIf(!isOneServer)('an answer to another question counts for nobody', async ({ service, way, far }) => {
  const spend = openSpendTogether(far.app, () => undefined)
  const orgId = newId()
  await known(service.app, orgId)
  assert.equal((await spend(spenderOf({ orgId }), undefined))?.kind, 'ok')
  // The number of the question, as the answer begins with it.
  way.forge((answer) => answer.replace(/^\*2\r\n\$1\r\n2/, '*2\r\n$1\r\n1'))
  await assert.rejects(spend(spenderOf({ orgId }), undefined), /another question/)
  way.forge()
  assert.equal((await spend(spenderOf({ orgId }), undefined))?.kind, 'ok')
})

test('what is over goes from the hash when a counter begins or the epoch changes', async ({ service }) => {
  const { app } = service
  const orgId = newId()
  const hash = gateHashOf(app)
  const at = (periods: number) => ({ start: new Date(testStart.getTime() + periods * periodMs) })
  const now = service.clock.now().getTime()
  await app.redis.hset(gateKey(app, orgId), {
    [counterField({ budget: 'events', period: at(-3) })]: 5,
    [counterField({ budget: 'api_calls', period: at(-1) })]: 6,
    'tokens:idle': 1,
    'at:idle': now - 60_000,
    'tokens:busy': 2,
    'at:busy': now - 59_999,
  })
  await hash.seed({ orgId, budget: 'events', period: at(0) }, 7)
  assert.deepEqual(await app.redis.hgetall(gateKey(app, orgId)), {
    [counterField({ budget: 'api_calls', period: at(-1) })]: '6',
    [counterField({ budget: 'events', period: at(0) })]: '7',
    'tokens:busy': '2',
    'at:busy': String(now - 59_999),
  })
  await service.clock.advance(2 * periodMs)
  await hash.setEpoch(orgId, 'new')
  assert.deepEqual(await app.redis.hgetall(gateKey(app, orgId)), { epoch: 'new' })
  const lifetimeMs = await app.redis.pttl(gateKey(app, orgId))
  assert.ok(lifetimeMs > periodMs - 60_000 && lifetimeMs <= periodMs)
})

test('a clock that was wrong by more than a minute empties no bucket for long', async ({ service, spend }) => {
  const { clock } = service
  await clock.set(testStart)
  const orgId = newId()
  await known(service.app, orgId)
  const spender = spenderOf({ orgId, rate: 1 })
  const kinds = async () =>
    (await Promise.all([1, 2].map(() => spend(spender, undefined)))).map((answer) => answer?.kind)
  await clock.advance(60_000)
  assert.deepEqual(await kinds(), ['ok', 'rate'])
  await clock.set(testStart)
  assert.deepEqual(await kinds(), ['rate', 'rate'])
  await clock.advance(-1)
  assert.deepEqual(await kinds(), ['ok', 'rate'])
})
