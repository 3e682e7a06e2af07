import assert from 'node:assert/strict'
import { commandTest, oldKey } from '../../src/testing/commands.ts'
import {
  makeAgent,
  makeCalendar,
  makeEvent,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { openProcess } from '../../src/testing/process.ts'
import { fireDue } from '../../workers/timers.ts'
import { sealedTables } from './encryption.ts'

const newKey = { id: 'new', secret: Buffer.alloc(32, 2) }

const test = commandTest()

test('every sealed column of the database is rotated', async ({ service }) => {
  const columns = await service.app.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%\_sealed'
      and not (select relispartition from pg_class where oid = table_name::regclass)`
  assert.deepEqual(
    sealedTables.flatMap(({ name, columns: own }) => Object.keys(own).map((column) => `${name}.${column}`)).toSorted(),
    columns.map(({ name }) => name).toSorted(),
  )
})

test('values are sealed with the new key while the service writes, and then the old key can go', async ({
  service,
  receiver,
  run,
  onTestFinished,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const webhook = await makeWebhook(service, key, receiver.url, ['event.created'])
  const proposal = await makeProposal(service, key, {
    title: 'An earlier proposal',
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
  })
  const events = []
  for (let nth = 0; nth < 25; nth++) {
    events.push(
      await makeEvent(service, key, calendar.id, { title: `Event ${nth}`, description: nth % 2 ? 'Long' : undefined }),
    )
  }
  // A moment in the log, whose title is that of its event.
  const inMinutes = (minutes: number) => new Date(service.clock.now().getTime() + minutes * 60_000).toISOString()
  const soon = await makeCalendar(service, key)
  await makeEvent(service, key, soon.id, { start_time: inMinutes(20), end_time: inMinutes(50) })
  await service.clock.advance(30 * 60_000)
  assert.ok((await fireDue(service.app)) > 0)
  const rotating = await openProcess(service, { config: { encryptionKeys: [newKey, oldKey] } })
  onTestFinished(() => rotating.close())
  const use = async () => {
    const { values } = (await run('keys', [], {}, rotating.app)).json
    return new Map(Map.groupBy(values as { key: string; count: number }[], (value) => value.key).entries())
  }
  assert.deepEqual([...(await use()).keys()], ['old'])

  const writing = events.map((event, nth) =>
    rotating.call('PATCH', `/v1/calendars/${calendar.id}/events/${event.id}`, {
      key,
      body: { title: `Written ${nth}` },
    }),
  )
  const done = await run('keys rotate', [], { block: '7', pause: '0' }, rotating.app)
  for (const { status } of await Promise.all(writing)) assert.equal(status, 200)
  assert.deepEqual([done.isWrong, done.json.left], [false, []])
  assert.match(done.text, /the other keys can go/)
  assert.ok(done.told.some((line) => /^events: \d+ rows seen, \d+ sealed anew$/.test(line)))
  assert.deepEqual([...(await use()).keys()], ['new'])
  const repeated = await run('keys rotate', [], {}, rotating.app)
  assert.deepEqual(
    repeated.json.tables.map(({ resealed }: { resealed: number }) => resealed),
    sealedTables.map(() => 0),
  )

  const later = await openProcess(service, { config: { encryptionKeys: [newKey] } })
  onTestFinished(() => later.close())
  const read = async (path: string) => {
    const answer = await later.call('GET', path, { key })
    assert.equal(answer.status, 200, path)
    return answer.body
  }
  const list = await read(`/v1/calendars/${calendar.id}/events?limit=100`)
  assert.deepEqual(
    new Set(list.data.map(({ title }: { title: string }) => title)),
    new Set(events.map((_, nth) => `Written ${nth}`)),
  )
  assert.equal((await read(`/v1/calendars/${calendar.id}`)).ical_url.split('/ical/').length, 2)
  assert.equal((await read(`/v1/webhooks/${webhook.id}`)).url, receiver.url)
  assert.equal((await read(`/v1/scheduling/proposals/${proposal.id}`)).title, 'An earlier proposal')
  const history = await read(`/v1/webhooks/${webhook.id}/deliveries?include_payload=true&limit=100`)
  assert.equal(history.data.at(-1).payload.event.title, 'Event 0')
})

test('a value that no key opens is named and left as it is, and the command fails', async ({ service, run }) => {
  const { key } = await makeOrganization(service)
  await makeCalendar(service, key)
  const lacking = await openProcess(service, {
    config: { encryptionKeys: [{ id: 'third', secret: Buffer.alloc(32, 3) }] },
  })
  const { isWrong, text, json } = await run('keys rotate', [], {}, lacking.app)
  assert.equal(isWrong, true)
  assert.match(text, /calendars\.feed_token:[0-9a-f-]{36}: no encryption key with the id "(old|new)"/)
  assert.equal(
    json.tables.reduce((sum: number, table: { resealed: number }) => sum + table.resealed, 0),
    0,
  )
  await lacking.close()
})
