// Keys that take the place of others, for a while beside them: of the organization, of agents, and the primary key.
import assert from 'node:assert/strict'
import { makeOwner } from '../../src/testing/accounts.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

type Body = Record<string, unknown>

const test = serviceTest()
  .extend('statusOf', perFile, ({ call, second }) => async (key: string) => {
    const answers = await Promise.all([call, second.call].map((by) => by('GET', '/v1/agents', { key })))
    return answers.map(({ status, body }) => (status === 200 ? 200 : (body.error.code ?? status)))
  })
  /** Both kinds of keys, each with what its owner does with it. */
  .extend('kinds', perFile, ({ service, call }) => async () => {
    const owner = await makeOwner(service)
    const agent = await makeAgent(service, owner.key)
    const rotating = (path: string, key: string) => ({
      rotate: (id: string, body: Body = {}) => call('POST', `${path}/${id}/rotate`, { key, body }),
      patch: (id: string, body: Body) => call('PATCH', `${path}/${id}`, { key, body }),
      end: (id: string) => call('DELETE', `${path}/${id}`, { key }),
      list: async () =>
        (await call('GET', `${path}${path === '/v1/keys' ? '?include_use=true' : ''}`, { key })).body.keys,
    })
    const guardrails = { max_minutes: 60 }
    return [
      {
        ...rotating('/v1/auth/keys', owner.token),
        make: async (body: Body = {}) =>
          (await call('POST', '/v1/auth/keys', { key: owner.token, body: { name: 'CI', ...body } })).body,
        kept: { name: 'CI', scope: 'read_only', allowed_ips: ['127.0.0.1'], primary: false },
        with: { scope: 'read_only', allowed_ips: ['127.0.0.1'] } as Body,
        prefix: 'svc_sk_',
      },
      {
        ...rotating('/v1/keys', owner.key),
        make: async (body: Body = {}) =>
          (await call('POST', '/v1/keys', { key: owner.key, body: { agent_id: agent.id, label: 'CI', ...body } })).body,
        kept: { label: 'CI', agent_id: agent.id, guardrails },
        with: { guardrails } as Body,
        prefix: 'svc_ak_',
      },
    ]
  })

const inSeconds = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000).toISOString()

test('a rotated key works beside its successor until the overlap ends, and what it may do passes on', async ({
  service,
  kinds,
  statusOf,
}) => {
  for (const kind of await kinds()) {
    const old = await kind.make(kind.with)
    const { status, body } = await kind.rotate(old.id, { overlap_seconds: 60 })
    assert.equal(status, 201, JSON.stringify(body))
    const { key, previous_expires_at, ...record } = body
    assert.ok(key.startsWith(kind.prefix) && key !== old.key)
    assert.equal(previous_expires_at, inSeconds(service.clock.now(), 60))
    assert.notEqual(record.id, old.id)
    for (const [name, value] of Object.entries(kind.kept)) assert.deepEqual(record[name], value, name)
    const [next, previous] = await kind.list()
    assert.deepEqual([next.id, next.replaced_by, next.expires_at], [record.id, null, null])
    assert.deepEqual([previous.id, previous.replaced_by, previous.expires_at], [old.id, record.id, previous_expires_at])
    assert.deepEqual([await statusOf(old.key), await statusOf(key)].flat(), [200, 200, 200, 200])
    await service.clock.advance(59_999)
    assert.deepEqual(await statusOf(old.key), [200, 200])
    await service.clock.advance(1)
    assert.deepEqual(await statusOf(old.key), ['key_expired', 'key_expired'])
    assert.deepEqual(await statusOf(key), [200, 200])
    assert.deepEqual(
      (await kind.list()).filter(({ primary }: Body) => !primary).map(({ id }: Body) => id),
      [record.id],
    )
  }
})

test('without an overlap the old key is dead on every process before the answer', async ({ kinds, statusOf }) => {
  for (const kind of await kinds()) {
    const old = await kind.make()
    assert.deepEqual(await statusOf(old.key), [200, 200])
    const { body } = await kind.rotate(old.id, { overlap_seconds: 0 })
    assert.equal(body.previous_expires_at, null)
    assert.deepEqual(await statusOf(old.key), [401, 401])
    assert.deepEqual(await statusOf(body.key), [200, 200])
  }
})

test('an overlap lasts a day unless another length is asked for, and never beyond the end of the key', async ({
  service,
  kinds,
}) => {
  for (const kind of await kinds()) {
    const now = service.clock.now()
    const { body } = await kind.rotate((await kind.make()).id)
    assert.equal(body.previous_expires_at, inSeconds(now, 86_400))
    const short = await kind.make({ expires_at: inSeconds(now, 600) })
    await service.clock.advance(60_000)
    const rotated = await kind.rotate(short.id)
    assert.equal(rotated.body.previous_expires_at, inSeconds(now, 600))
    // As long a life as the one before it.
    assert.equal(rotated.body.expires_at, inSeconds(now, 660))
    const given = await kind.rotate(rotated.body.id, { force: true, expires_at: inSeconds(now, 90_000) })
    assert.equal(given.body.expires_at, inSeconds(now, 90_000))
    assert.equal((await kind.rotate(given.body.id, { force: true, expires_at: null })).body.expires_at ?? null, null)
  }
})

test('a key rotates once; its successor only by force while it works, and force ends it', async ({
  kinds,
  statusOf,
}) => {
  for (const kind of await kinds()) {
    const first = await kind.make()
    const second = (await kind.rotate(first.id)).body
    assertRefused(await kind.rotate(first.id, { force: true }), 409, 'conflict', { code: 'key_replaced' })
    assertRefused(await kind.rotate(second.id), 409, 'conflict', { code: 'overlap_open', param: 'force' })
    const third = (await kind.rotate(second.id, { force: true })).body
    assert.deepEqual(await statusOf(first.key), [401, 401])
    assert.deepEqual([await statusOf(second.key), await statusOf(third.key)].flat(), [200, 200, 200, 200])
    await kind.end(second.id)
    assert.equal((await kind.rotate(third.id)).status, 201)
  }
})

test('a replaced key may end earlier, not later: it counts against no cap', async ({ service, kinds, statusOf }) => {
  for (const kind of await kinds()) {
    const old = await kind.make()
    await kind.rotate(old.id, { overlap_seconds: 60 })
    for (const expires_at of [null, inSeconds(service.clock.now(), 61)]) {
      const refused = await kind.patch(old.id, { expires_at })
      assertRefused(refused, 409, 'conflict', { code: 'key_replaced', param: 'expires_at' })
    }
    assert.equal((await kind.patch(old.id, { expires_at: inSeconds(service.clock.now(), 10) })).status, 200)
    await service.clock.advance(10_000)
    assert.deepEqual(await statusOf(old.key), ['key_expired', 'key_expired'])
  }
})

test('of many rotations at once one answers 201 and the others say that the key was replaced', async ({
  kinds,
  statusOf,
}) => {
  for (const kind of await kinds()) {
    for (const overlap_seconds of [60, 0]) {
      const { id } = await kind.make()
      const answers = await Promise.all(Array.from({ length: 8 }, () => kind.rotate(id, { overlap_seconds })))
      const made = answers.filter(({ status }) => status === 201)
      assert.equal(made.length, 1)
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        assertRefused(answer, 409, 'conflict', { code: 'key_replaced' })
      }
      assert.deepEqual(await statusOf(made[0]!.body.key), [200, 200])
    }
  }
})

test('a rotation and a change of the key at once leave a successor with what was last agreed', async ({ kinds }) => {
  const [, ofAgent] = await kinds()
  for (let round = 0; round < 5; round++) {
    const { id } = await ofAgent!.make({ guardrails: { max_minutes: 60 } })
    const [rotated, changed] = await Promise.all([
      ofAgent!.rotate(id),
      ofAgent!.patch(id, { guardrails: { max_minutes: 30 } }),
    ])
    assert.deepEqual([rotated.status, changed.status], [201, 200])
    const all = await ofAgent!.list()
    const [old, next] = [id, rotated.body.id].map((one) => all.find((key: Body) => key.id === one))
    assert.equal(old.guardrails.max_minutes, 30)
    // The rotation came first, or it passed on the change.
    assert.ok([30, 60].includes(next.guardrails.max_minutes))
    if (next.guardrails.max_minutes === 60) assert.ok(Date.parse(next.created_at) > 0)
  }
})

test('the primary key: regenerate with an overlap, the previous key, and no body as ever', async ({
  service,
  call,
  statusOf,
}) => {
  const { token, key: first } = await makeOwner(service)
  const send = (method: string, path: string, body?: Body) =>
    call(method, `/v1/auth/keys${path}`, { key: token, ...(body && { body }) })
  const second = (await send('POST', '/regenerate', { overlap_seconds: 60 })).body
  assert.deepEqual(Object.keys(second), ['id', 'key', 'key_prefix', 'created_at', 'previous_expires_at'])
  assert.equal(second.previous_expires_at, inSeconds(service.clock.now(), 60))
  assert.deepEqual(await statusOf(first), [200, 200])
  // An older one always ends.
  const third = (await send('POST', '/regenerate', { overlap_seconds: 60 })).body
  assert.deepEqual(await statusOf(first), [401, 401])
  assert.deepEqual(await statusOf(second.key), [200, 200])
  for (let twice = 0; twice < 2; twice++) assert.equal((await send('DELETE', '/previous')).status, 204)
  assert.deepEqual(await statusOf(second.key), [401, 401])
  assert.deepEqual(await statusOf(third.key), [200, 200])
  const rotated = (await send('POST', `/${third.id}/rotate`, { overlap_seconds: 60 })).body
  assert.equal(rotated.primary, true)
  const plain = (await send('POST', '/regenerate')).body
  assert.deepEqual(Object.keys(plain), ['id', 'key', 'key_prefix', 'created_at'])
  assert.deepEqual([await statusOf(third.key), await statusOf(rotated.key)].flat(), [401, 401, 401, 401])
  assert.equal((await send('POST', '/regenerate', { overlap_seconds: 0 })).body.previous_expires_at, null)
})

test('a primary key that has expired makes room, and its holder still learns why it is refused', async ({
  service,
  call,
  statusOf,
}) => {
  const { token, key } = await makeOwner(service)
  const send = (method: string, path: string, body?: Body) =>
    call(method, `/v1/auth/keys${path}`, { key: token, ...(body && { body }) })
  const [{ id }] = (await send('GET', '')).body.keys
  await send('PATCH', `/${id}`, { expires_at: inSeconds(service.clock.now(), 60) })
  await service.clock.advance(60_000)
  assert.deepEqual((await send('GET', '')).body.keys, [])
  assertRefused(await send('PATCH', `/${id}`, { expires_at: null }), 404, 'not_found')
  const made = await send('POST', '')
  assert.equal(made.status, 201)
  assert.deepEqual(await statusOf(key), ['key_expired', 'key_expired'])
  assert.deepEqual(await statusOf(made.body.key), [200, 200])
})
