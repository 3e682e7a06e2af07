import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Answer, foreignIn, openOwners } from './identity.ts'

const mine = 'org_01m8219j2te00rxb8dz8yaenyh'
const other = 'org_01m8219jjpe00rjwpfemqdhr0m'
const asker = { orgId: mine, token: 'svc_sk_of_mine', address: '10.1.0.1' }

const owners = openOwners()
owners.note(mine, 'evt_01m8219ntpe00thc9efy22swtz', 'feed-token-of-mine-0000000000000', 'maker-1-0123456789abcdef')
owners.note(other, 'evt_01m8219njke018pwq7f8t44c4d', 'feed-token-of-other-000000000000', 'maker-2-0123456789abcdef')

const policyOf = (orgId: string) => `"quota";q=100;w=2592000;pk=${orgId}`
const answerOf = (body: unknown, more: Partial<Answer> = {}): Answer => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status: 200, policy: policyOf(mine), text, body, ...more }
}
const agent = (orgId: string, nth: number) => ({ id: `agt_01m8219jb1e00aqsmkshyh3z8${nth}`, orgId, name: 'Agent' })

test("nothing is found in the asker's own records, nor in ids that nobody is known to have", () => {
  const event = { id: 'evt_01m8219ntpe00thc9efy22swtz', title: 'By maker-1-0123456789abcdef' }
  const body = { data: [agent(mine, 1), agent(mine, 2), event], total: 3 }
  assert.deepEqual(foreignIn(owners, asker, answerOf(body)), [])
})

test('one foreign record in a list is found', () => {
  const body = { data: [agent(mine, 1), agent(other, 2), agent(mine, 3)], total: 3 }
  assert.deepEqual(foreignIn(owners, asker, answerOf(body)), [`${mine} was told of ${other} of ${other}`])
})

test('a foreign id is found wherever it stands, and so are the mark of another maker and the token of another feed', () => {
  for (const word of [
    'evt_01m8219njke018pwq7f8t44c4d',
    'maker-2-0123456789abcdef',
    'feed-token-of-other-000000000000',
  ]) {
    const nested = answerOf({ per_agent: { [`x ${word}`]: [] } })
    const inError = answerOf({ error: { message: `There is no ${word}.` } }, { status: 404 })
    const inAddress = answerOf({ ical_url: `http://localhost/ical/${word}.ics` })
    for (const answer of [nested, inError, inAddress]) {
      assert.deepEqual(foreignIn(owners, asker, answer), [`${mine} was told of ${word} of ${other}`])
    }
  }
})

test('the feed of another calendar is found, also where a line is folded amid the id', () => {
  const feed = (id: string) => `BEGIN:VCALENDAR\r\nUID:${id.slice(0, 9)}\r\n ${id.slice(9)}@agent-calendar\r\n`
  const visitor = { orgId: mine, address: '10.1.0.1' }
  const find = (id: string) => foreignIn(owners, visitor, answerOf(feed(id), { policy: null }))
  assert.deepEqual(find('evt_01m8219ntpe00thc9efy22swtz'), [])
  assert.deepEqual(find('evt_01m8219njke018pwq7f8t44c4d'), [
    `${mine} was told of evt_01m8219njke018pwq7f8t44c4d of ${other}`,
  ])
})

test('the session of another account is found', () => {
  const find = (id: string) => foreignIn(owners, asker, answerOf({ org: { id, name: 'Mine' } }))
  assert.deepEqual(find(mine), [])
  assert.deepEqual(find(other), [`${mine} was told of ${other} of ${other}`])
})

test('a RateLimit-Policy of another organization is found, of a refusal as well', () => {
  for (const status of [200, 404, 503]) {
    assert.deepEqual(foreignIn(owners, asker, answerOf({}, { status, policy: policyOf(other) })), [
      `${mine} was taken for ${other}`,
    ])
  }
})

test('a success with a key that names no organization is found; one of a public address names none', () => {
  const unnamed = answerOf({}, { policy: null })
  assert.deepEqual(foreignIn(owners, asker, unnamed), [`${mine} is not named in RateLimit-Policy`])
  assert.deepEqual(foreignIn(owners, asker, { ...unnamed, status: 503 }), [])
  assert.deepEqual(foreignIn(owners, { orgId: mine, address: '10.1.0.1' }, unnamed), [])
})

test('an answer to another question is found, although it is about the asker', () => {
  const expects = ({ total }: { total: number }) => total === 1
  assert.deepEqual(foreignIn(owners, asker, answerOf({ total: 1 }), expects), [])
  assert.deepEqual(foreignIn(owners, asker, answerOf({ total: 0 }), expects), [
    `${mine} asked for something else: {"total":0}`,
  ])
})
