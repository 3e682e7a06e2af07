// Resources, prompts and completions: what a host shows to a person.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../../src/testing/factories.ts'
import { askMcp } from '../../../src/testing/mcp/mcp.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'
import { about } from './about.ts'

const test = serviceTest()
  .extend('ada', perFile, ({ service, key }) => makeAgent(service, key, { name: 'Ada Lovelace' }))
  .extend('calendar', perFile, ({ service, key, ada }) =>
    makeCalendar(service, key, ada.id, { name: 'Team Days', timezone: 'Europe/Berlin' }),
  )
  .extend(
    'ask',
    perFile,
    ({ service, key }) =>
      async (method: string, params: object = {}, by = key) =>
        (await askMcp(service, method, params as Record<string, unknown>, { key: by })).body,
  )

test('the about page is short', () => {
  assert.ok(Buffer.byteLength(about) <= 6_000, String(Buffer.byteLength(about)))
})

test('the context and the days of a calendar are read as the key may', async ({ service, key, ask, calendar }) => {
  const context = `agent-calendar://calendars/${calendar.id}/context`
  const { resources } = (await ask('resources/list')).result
  assert.deepEqual(
    resources.map(({ uri, name, mimeType }: Record<string, string>) => [uri, name, mimeType]),
    [
      ['agent-calendar://about', 'about', 'text/markdown'],
      [context, 'Team Days', 'application/json'],
    ],
  )
  const { contents } = (await ask('resources/read', { uri: context })).result
  assert.equal(JSON.parse(contents[0].text).calendar_id, calendar.id)
  const start = { start_time: '2026-03-05T09:00:00Z', end_time: '2026-03-05T09:30:00Z' }
  await makeEvent(service, key, calendar.id, { title: 'Review\n# of plans', ...start })
  const day = (await ask('resources/read', { uri: `agent-calendar://calendars/${calendar.id}/days/2026-03-05` })).result
  assert.equal(day.contents[0].mimeType, 'text/markdown')
  assert.match(day.contents[0].text, /^- Thu 5 Mar 2026 10:00-10:30 Europe\/Berlin \(in 3 days\): Review # of plans$/m)
  const today = await ask('resources/read', { uri: `agent-calendar://calendars/${calendar.id}/days/today` })
  assert.match(today.result.contents[0].text, /^# 2026-03-02\n/)
})

test('an agenda that is too long says how much more there is', async ({ service, key, ask, ada }) => {
  const calendar = await makeCalendar(service, key, ada.id, { name: 'Full', timezone: 'UTC' })
  const times = { start_time: '2026-03-06T09:00:00Z', end_time: '2026-03-06T09:30:00Z' }
  await Promise.all(
    Array.from({ length: 103 }, () => makeEvent(service, key, calendar.id, { title: 'Call', ...times })),
  )
  const uri = `agent-calendar://calendars/${calendar.id}/days/2026-03-06`
  const { text } = (await ask('resources/read', { uri })).result.contents[0]
  const [, more] = /\n\n(\d+) more: list_events has them\.\n$/.exec(text)!
  assert.equal(text.match(/^- /gm).length + Number(more), 103)
})

test('what is not there, and what the key may not read, is the same', async ({ service, key, ask, calendar }) => {
  const other = await makeOrganization(service)
  const peer = await makeAgent(service, key)
  const peerKey = await makeAgentKey(service, key, peer.id)
  const uri = `agent-calendar://calendars/${calendar.id}/context`
  const answers = [
    await ask('resources/read', { uri }, other.key),
    await ask('resources/read', { uri }, peerKey),
    await ask('resources/read', { uri: 'agent-calendar://calendars/cal_none/context' }),
    await ask('resources/read', { uri: 'agent-calendar://nothing' }),
    await ask('resources/read', { uri: `agent-calendar://calendars/${calendar.id}/days/2026-02-31` }),
    await ask('resources/read', { uri: `agent-calendar://calendars/${calendar.id}/days/tomorrow` }),
  ]
  for (const { error } of answers) assert.deepEqual([error.code, error.message], [-32602, answers[0]!.error.message])
})

test('a prompt holds the time, the names behind the ids and the tools to call', async ({ ask, ada, calendar }) => {
  const get = (name: string, args: object) => ask('prompts/get', { name, arguments: args })
  const given = { title: 'Review', start_time: '2026-03-05T09:00', calendar_id: calendar.id }
  const { messages } = (await get('schedule_event', given)).result
  assert.deepEqual([messages.length, messages[0].role, messages[0].content.type], [1, 'user', 'text'])
  const { text } = messages[0].content
  assert.match(text, /^Now: Mon 2 Mar 2026 10:00 Europe\/Berlin\./)
  assert.ok(text.includes(`"Team Days" (${calendar.id})`))
  assert.match(text, /create_event/)
  const agenda = (await get('daily_agenda', { agent_id: ada.id })).result.messages[0].content.text
  assert.ok(agenda.includes(`"Ada Lovelace" (${ada.id})`))
  for (const [name, args] of [
    ['nothing', {}],
    ['schedule_event', { title: 'Review' }],
    ['schedule_event', { ...given, colour: 'red' }],
    ['schedule_event', { ...given, calendar_id: 'cal_none' }],
    ['daily_agenda', { agent_id: 'agt_none' }],
  ] as const) {
    assert.equal((await get(name, args)).error.code, -32602, name)
  }
})

test('prompts whose tool the key cannot use are not listed', async ({ service, key, ask, ada }) => {
  const names = async (by: string) =>
    (await ask('prompts/list', {}, by)).result.prompts.map(({ name }: { name: string }) => name)
  const agentKey = await makeAgentKey(service, key, ada.id)
  const { key: free } = await makeOrganization(service, { plan: 'free' })
  const both = ['schedule_event', 'daily_agenda']
  for (const by of [agentKey, free]) assert.deepEqual(await names(by), both)
  assert.deepEqual(await names(key), ['schedule_event', 'find_meeting_time', 'daily_agenda', 'new_scheduling_proposal'])
})

test('arguments are completed by the beginning of an id or any part of a name', async ({ ask, ada, calendar }) => {
  const complete = async (name: string, value: string) => {
    const ref = { type: 'ref/prompt', name: 'schedule_event' }
    return (await ask('completion/complete', { ref, argument: { name, value } })).result.completion.values
  }
  assert.deepEqual(await complete('calendar_id', 'm dAY'), [calendar.id])
  assert.deepEqual(await complete('calendar_id', calendar.id.slice(0, 20)), [calendar.id])
  assert.deepEqual(await complete('calendar_id', 'nothing'), [])
  assert.deepEqual(await complete('organizer_agent_id', 'love'), [ada.id])
  assert.deepEqual(await complete('participant_agent_ids', 'agt_other, ada'), [`agt_other,${ada.id}`])
  assert.deepEqual(await complete('date', ''), [
    ...['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08'],
    '2026-03-09',
  ])
  assert.deepEqual(await complete('duration', '1'), ['15m', '1h'])
  assert.deepEqual(await complete('title', 'a'), [])
})

test('days and the time of a prompt are those of the calendar, or of UTC where calendars differ', async ({
  service,
}) => {
  const { key } = await makeOrganization(service)
  const apia = await makeCalendar(service, key, undefined, { timezone: 'Pacific/Apia' })
  await service.clock.advance(5 * 3_600_000)
  const first = async (chosen?: object) => {
    const ref = { type: 'ref/resource', uri: 'agent-calendar://calendars/{calendar_id}/days/{date}' }
    const params = { ref, argument: { name: 'date', value: '' }, ...(chosen && { context: { arguments: chosen } }) }
    return (await askMcp(service, 'completion/complete', params, { key })).body.result.completion.values[0]
  }
  const prompt = async () =>
    (await askMcp(service, 'prompts/get', { name: 'daily_agenda' }, { key })).body.result.messages[0].content.text
  assert.equal(await first(), '2026-03-03')
  assert.match(await prompt(), /^Now: Tue 3 Mar 2026 03:00 Pacific\/Apia\./)
  await makeCalendar(service, key)
  assert.deepEqual([await first(), await first({ calendar_id: apia.id })], ['2026-03-02', '2026-03-03'])
  assert.match(await prompt(), /^Now: Mon 2 Mar 2026 14:00 UTC\./)
})
