// Writers and readers at once, in two processes: what each reader got keeps the promises of the feed.
import assert from 'node:assert/strict'
import { encodeId } from '../shapes/ids.ts'
import { changesOf } from '../testing/changes.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization } from '../testing/factories.ts'
import {
  checkAnswered,
  checkComplete,
  checkRevisions,
  type FeedReader,
  mirrorOf,
  openFeedReader,
} from '../testing/feedReader.ts'
import { serviceTest } from '../testing/test.ts'

const test = serviceTest()

const writers = 8
const changesEach = 25
const readers = 10

test('every reader gets every change once, whole and in order, while writers and readers run at once', {
  timeout: 120_000,
}, async ({ service, second }) => {
  const organization = await makeOrganization(service, { plan: 'custom' })
  const { key } = organization
  const agent = await makeAgent(service, key)
  const calendars = await Promise.all(
    Array.from({ length: 10 }, (_, n) => makeCalendar(service, key, n % 2 ? agent.id : undefined)),
  )
  const anyOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!
  const ask = (query: Record<string, string>) =>
    anyOf([service, second]).call('GET', `/v1/changes?${new URLSearchParams(query)}`, { key })

  const before = (await changesOf(service, organization.id)).length
  const { cursor } = (await ask({})).body
  let isWriting = true

  /** One client: what it makes is made one after the other, and then changed or removed by it. */
  async function write(): Promise<string[]> {
    const made: string[] = []
    for (let n = 0; n < changesEach; n++) {
      const { call } = anyOf([service, second])
      const event = await makeEvent({ ...service, call }, key, anyOf(calendars).id)
      made.push(event.id)
      if (n % 3 === 1) await call('PATCH', `/v1/events/${event.id}`, { key, body: { title: `Changed ${n}` } })
      if (n % 3 === 2) await call('DELETE', `/v1/events/${event.id}`, { key })
    }
    return made
  }

  async function read(filter: Record<string, string>): Promise<FeedReader> {
    const reader = openFeedReader(ask, cursor, filter)
    const steps = () => ({ limit: String(1 + Math.floor(Math.random() * 20)) })
    while (isWriting) await reader.step(steps())
    await reader.finish()
    return reader
  }

  const own = calendars.filter((_, n) => n % 2).map(({ id }) => id)
  const reading = Promise.all(
    Array.from({ length: readers }, (_, n) =>
      read(n % 2 ? {} : { calendar_ids: own.join(), types: 'event.created,event.deleted' }),
    ),
  )
  // A transaction of somebody else that has a number and stays open holds nobody up.
  const open = await service.app.sql.reserve()
  await open.unsafe('begin')
  await open`select pg_current_xact_id()`
  const written = await Promise.all(Array.from({ length: writers }, write)).finally(() => {
    isWriting = false
  })
  const chains = await reading
  await open.unsafe('rollback')
  open.release()

  const stored = (await changesOf(service, organization.id)).slice(before)
  const idOf = ({ changeId, position }: (typeof stored)[0]) => `${encodeId('chg', changeId)}.${position}`
  for (const [n, { entries }] of chains.entries()) {
    const isFor = (change: (typeof stored)[0]) =>
      n % 2 === 1 ||
      (own.includes(encodeId('cal', change.calendarId!)) && ['event.created', 'event.deleted'].includes(change.type))
    checkComplete(entries, stored.filter(isFor).map(idOf))
    checkRevisions(entries)
    if (n % 2 === 0) continue
    for (const made of written) checkAnswered(entries, made)
    const mirror = mirrorOf([], entries)
    for (const { id } of calendars) {
      const { body } = await service.call('GET', `/v1/calendars/${id}/events?limit=200`, { key })
      for (const event of body.data) assert.deepEqual(mirror.get(event.id), event)
      for (const event of body.data) mirror.delete(event.id)
    }
    assert.equal(mirror.size, 0)
  }
  assert.ok(stored.length > writers * changesEach)
})
