import assert from 'node:assert/strict'
import { test } from 'vitest'
import { agentRecord } from '../agents/schema.ts'
import type { Answer } from './answer.ts'
import { assertDocumented } from './documented.ts'

const requestId = 'req_01k9xr8m3fe8tbc4x9m2v7h5qd'

// biome-ignore lint/suspicious/noExplicitAny: any body is tried
const answerOf = (status: number, body: any, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...headers,
  }),
  body,
})

const refusal = (type: string, more: object = {}) => ({
  error: { type, message: 'A message.', param: null, request_id: requestId, ...more },
})

const agent = agentRecord.meta()?.example as object
const path = '/v1/agents/agt_01k9xr8m3fe8tbc4x9m2v7h5qd'
const taken = (method: string, at: string, answer: Answer) => assertDocumented(method, at, answer)
const refused = (method: string, at: string, answer: Answer, message: RegExp) =>
  assert.throws(() => assertDocumented(method, at, answer), { message })

test('an answer that the document describes is taken', () => {
  taken('GET', path, answerOf(200, agent))
  taken('GET', `${path}/?limit=1`.toUpperCase().replace('AGT', 'agt'), answerOf(200, agent))
  taken('HEAD', path, answerOf(200, ''))
  taken('GET', path, answerOf(404, refusal('not_found')))
  taken('GET', path, answerOf(429, refusal('rate_limit_error'), { 'retry-after': '1' }))
})

test('a status, a content type or a header that the document does not know of is refused', () => {
  refused('GET', path, answerOf(201, agent), /status that the document does not name/)
  refused('GET', path, answerOf(200, agent, { 'content-type': 'text/html' }), /text\/html, which the document/)
  refused('GET', path, answerOf(200, agent, { 'x-request-id': 'none' }), /X-Request-Id/)
  refused('GET', path, answerOf(429, refusal('rate_limit_error')), /without Retry-After/)
  refused('GET', path, answerOf(429, refusal('rate_limit_error'), { 'retry-after': 'soon' }), /Retry-After/)
  const answer = answerOf(200, agent)
  answer.headers.delete('x-request-id')
  refused('GET', path, answer, /without X-Request-Id/)
  refused('GET', path, answerOf(200, agent, { 'x-content-type-options': '' }), /X-Content-Type-Options/)
})

test('a body that lacks a field, or has one too many, is refused, however deep', () => {
  const { name: _, ...nameless } = agent as { name: string }
  refused('GET', path, answerOf(200, nameless), /required property 'name'/)
  refused('GET', path, answerOf(200, { ...agent, surprise: 1 }), /surprise/)
  refused('GET', path, answerOf(200, { ...agent, createdAt: 'yesterday' }), /createdAt/)
  const list = { data: [{ ...agent, surprise: 1 }], total: 1, limit: 50, offset: 0 }
  refused('GET', '/v1/agents', answerOf(200, list), /surprise/)
  refused('DELETE', path, answerOf(204, 'Done.'), /the document has none/)
})

test('an error is refused whose type or code the operation does not have', () => {
  refused('GET', path, answerOf(404, refusal('conflict')), /error\/type/)
  refused('GET', path, answerOf(404, refusal('not_found', { code: 'calendar_not_found' })), /the document has none/)
  const event = '/v1/calendars/cal_1/events/evt_1'
  taken('GET', event, answerOf(404, refusal('not_found', { code: 'event_not_found' })))
  refused('GET', event, answerOf(404, refusal('not_found', { code: 'hold_expired' })), /error\/code/)
  refused('GET', path, answerOf(404, refusal('not_found', { hint: 'none' })), /hint/)
})

test('what is no operation is 404, another method 405 with what is allowed', () => {
  taken('GET', '/v1/nothing', answerOf(404, refusal('not_found')))
  refused('GET', '/v1/nothing', answerOf(200, {}), /no operation/)
  taken('PUT', path, answerOf(405, refusal('bad_request'), { allow: 'GET' }))
  refused('PUT', path, answerOf(405, refusal('bad_request')), /without Allow/)
  refused('PUT', path, answerOf(404, refusal('not_found')), /no operation/)
  taken('GET', '/healthz', answerOf(200, { status: 'ok' }))
})
