import assert from 'node:assert/strict'
import { makeAgent, makeCalendar } from '../../src/testing/factories.ts'
import { askMcp, callMcp, revisions } from '../../src/testing/mcp.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()

for (const revision of revisions) {
  test(`${revision}: the list and a call are answered as JSON`, async ({ service, key }) => {
    const list = await askMcp(service, 'tools/list', {}, { key, revision })
    assert.equal(list.status, 200, list.text)
    assert.equal(list.headers.get('content-type'), 'application/json')
    assert.equal(list.body.result.tools[0].name, 'list_calendars')
    const { id } = await makeAgent(service, key)
    const calendar = await makeCalendar(service, key, id)
    const result = await callMcp(service, 'list_calendars', {}, { key, revision })
    assert.equal(result.structuredContent.calendars[0].id, calendar.id)
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  })
}
