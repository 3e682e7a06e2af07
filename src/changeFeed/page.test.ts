// The effect of races of transactions on pages, one step after the other.
import assert from 'node:assert/strict'
import { decodeId } from '../shapes/ids.ts'
import { makeAgent, makeOrganization } from '../testing/factories.ts'
import { perFile, serviceTest } from '../testing/test.ts'

/** Writes copies of an organization's first entry, in transactions that stay open until they are told to end. */
const test = serviceTest().extend('openFeed', perFile, ({ service }) => async () => {
  const { id, key } = await makeOrganization(service)
  await makeAgent(service, key)
  const orgId = decodeId('org', id)!
  const copies = (type: string, n: number) => `
    insert into changes (org_id, seq, change_id, position, type, agent_id, resource_id, cause, payload_sealed, created_at)
    select org_id, nextval('changes_seq'), uuidv7(), 0, '${type}', agent_id, resource_id, cause, payload_sealed, created_at
    from (select * from changes where org_id = '${orgId}' limit 1) first, generate_series(1, ${n})`
  return {
    async read(query: Record<string, string>) {
      const { status, body } = await service.call(
        'GET',
        `/v1/changes?${new URLSearchParams({ payload: 'none', ...query })}`,
        { key },
      )
      assert.equal(status, 200, JSON.stringify(body))
      return { ...body, types: body.data.map(({ type }: { type: string }) => type) }
    },
    write: (type: string, n = 1) => service.app.sql.unsafe(copies(type, n)),
    async begin(type: string) {
      const connection = await service.app.sql.reserve()
      await connection.unsafe('begin')
      await connection.unsafe(copies(type, 1))
      return {
        async end(how: 'commit' | 'rollback') {
          await connection.unsafe(how)
          connection.release()
        },
      }
    },
  }
})

test('what commits late is read once, though later numbers were read before it', async ({ openFeed }) => {
  const { read, write, begin } = await openFeed()
  const { cursor } = await read({})
  const late = await begin('event.created')
  await write('event.updated')
  const first = await read({ cursor })
  assert.deepEqual(first.types, ['event.updated'])
  assert.deepEqual((await read({ cursor: first.cursor })).types, [])
  await write('event.deleted')
  await late.end('commit')
  const second = await read({ cursor: first.cursor })
  assert.deepEqual(second.types, ['event.created', 'event.deleted'])
  assert.deepEqual((await read({ cursor: second.cursor })).types, [])
  // From the first cursor on the order is that of the numbers.
  assert.deepEqual((await read({ cursor })).types, ['event.created', 'event.updated', 'event.deleted'])
})

test('the pages of a batch hold what was there when it began', async ({ openFeed }) => {
  const { read, write, begin } = await openFeed()
  const { cursor } = await read({})
  await write('event.created')
  const late = await begin('event.started')
  await write('event.updated')
  await write('event.deleted')
  const first = await read({ cursor, limit: '1' })
  assert.deepEqual([first.types, first.has_more], [['event.created'], true])
  await late.end('commit')
  await write('event.ended')
  const second = await read({ cursor: first.cursor, limit: '1' })
  assert.deepEqual([second.types, second.has_more], [['event.updated'], true])
  const third = await read({ cursor: second.cursor })
  assert.deepEqual([third.types, third.has_more], [['event.deleted'], true])
  const fourth = await read({ cursor: third.cursor })
  assert.deepEqual([fourth.types, fourth.has_more], [['event.started', 'event.ended'], false])
})

test('the last page of a batch says whether more has come that its filter wants', async ({ openFeed }) => {
  const { read, write } = await openFeed()
  const { cursor } = await read({})
  await write('event.created', 2)
  const readTwo = async (types: string) => {
    const first = await read({ cursor, limit: '1', types })
    assert.deepEqual([first.types, first.has_more], [['event.created'], true])
    await write('event.updated')
    return read({ cursor: first.cursor, limit: '1', types })
  }
  const unwanted = await readTwo('event.created')
  assert.deepEqual([unwanted.types, unwanted.has_more], [['event.created'], false])
  const options = await readTwo('event.created,event.updated')
  assert.deepEqual([options.types, options.has_more], [['event.created'], true])
  const rest = await read({ cursor: options.cursor })
  assert.deepEqual([rest.types, rest.has_more], [['event.updated'], true])
  const last = await read({ cursor: rest.cursor })
  assert.deepEqual([last.types, last.has_more], [['event.updated'], false])
})

test('what was rolled back is never read', async ({ openFeed }) => {
  const { read, begin } = await openFeed()
  const { cursor } = await read({})
  const undone = await begin('event.created')
  const during = await read({ cursor })
  await undone.end('rollback')
  for (const from of [cursor, during.cursor]) assert.deepEqual((await read({ cursor: from })).types, [])
})

test('a reader who is far behind gets each entry once, in order, also what commits late', { timeout: 60_000 }, async ({
  openFeed,
}) => {
  const { read, write, begin } = await openFeed()
  const { cursor: first } = await read({})
  const late = await begin('event.started')
  await write('event.created', 2_500)
  await write('event.deleted')
  const readOn = async (from: string) => {
    const types: string[] = []
    let cursor = from
    for (let isMore = true; isMore; ) {
      const page = await read({ cursor, limit: '200' })
      types.push(...page.types)
      isMore = page.has_more
      cursor = page.cursor
    }
    return { types, cursor }
  }
  const created: string[] = Array(2_500).fill('event.created')
  const before = await readOn(first)
  assert.deepEqual(before.types, [...created, 'event.deleted'])
  await late.end('commit')
  // It stands before all the others: its number was drawn first.
  assert.deepEqual((await readOn(first)).types, ['event.started', ...created, 'event.deleted'])
  assert.deepEqual((await readOn(before.cursor)).types, ['event.started'])
})

test('a filter that matches little goes through much, a piece with each request', { timeout: 60_000 }, async ({
  openFeed,
}) => {
  const { read, write } = await openFeed()
  let { cursor } = await read({})
  await write('event.created', 25_000)
  await write('event.deleted')
  const answers: [string[], boolean][] = []
  for (let isMore = true; isMore; ) {
    const page = await read({ cursor, types: 'event.deleted' })
    answers.push([page.types, page.has_more])
    isMore = page.has_more
    cursor = page.cursor
  }
  assert.deepEqual(answers, [
    [[], true],
    [['event.deleted'], false],
  ])
})
