// The decisions of the parts: keys, options, addresses, refusals.
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ApiError } from '../../clients/typescript/src/entry.ts'
import { safeNext, signInAddress } from '../frame/next.ts'
import { nearestPlaceOf, partsOf, placeOf } from '../frame/places.ts'
import { parseSearch, stringifySearch } from '../search.ts'
import { changes, isAbout, OfflineError, refusalOf } from '../service/refusal.ts'
import { step } from './keys.ts'
import { matching } from './options.ts'

test('arrows go round, Home and End to the ends, and other keys nowhere', () => {
  assert.deepEqual(
    ['ArrowDown', 'ArrowUp', 'Home', 'End', 'a'].map((key) => step(key, 2, 3)),
    [0, 1, 0, 2, undefined],
  )
  assert.equal(step('ArrowUp', -1, 3), 2)
  assert.equal(step('ArrowDown', -1, 0), undefined)
  assert.equal(step('ArrowRight', 0, 2, 'horizontal'), 1)
})

test('a picker shows what begins with the text first, however it is written', () => {
  const options = ['Asia/Sao', 'America/Sao_Paulo', 'Zoë', 'Sao'].map((label) => ({ value: label, label }))
  assert.deepEqual(
    matching(options, 'SAO').map(({ label }) => label),
    ['Sao', 'Asia/Sao', 'America/Sao_Paulo'],
  )
  assert.deepEqual(
    [matching(options, 'sao paulo'), matching(options, 'zoe'), matching(options, 'x')].map((found) => found.length),
    [1, 1, 0],
  )
})

test('after a sign-in a person goes only to a screen of the console', () => {
  const origin = 'https://calendar.example.com'
  const next = (path?: string) => safeNext(path, origin)
  assert.equal(next('/console/agents?type=ai#x'), '/console/agents?type=ai#x')
  for (const path of [
    undefined,
    '',
    '//example.com/console/agents',
    '/\\example.com/console/',
    'https://calendar.example.com.evil.com/console/',
    '/console/../v1/agents',
    '/console/%2e%2e/docs',
    '/consoles',
    '/docs',
    'javascript:alert(1)',
    '/console/sign-in',
  ]) {
    assert.equal(next(path), '/console/start', path)
  }
  assert.equal(signInAddress('/agents?type=ai'), '/console/sign-in?next=%2Fconsole%2Fagents%3Ftype%3Dai')
})

test('a pasted id leads to its screen', () => {
  const agent = 'agt_01m8fe5r5xe00b41apd5yj5awr'
  assert.equal(placeOf(` ${agent}\n`), `/agents/${agent}`)
  assert.deepEqual(
    [placeOf('agt_'), placeOf('xyz_01m8fe5r5xe00b41apd5yj5awr'), placeOf('agents')],
    [undefined, undefined, undefined],
  )
  const event = agent.replace('agt', 'evt')
  assert.deepEqual(partsOf(placeOf(event)!), { to: '/calendar', search: { event } })
  const key = agent.replace('agt', 'key')
  assert.deepEqual([placeOf(key), nearestPlaceOf(key), nearestPlaceOf(event)], [undefined, '/keys', placeOf(event)])
})

test('a query is names and texts, whatever they look like', () => {
  const search = { offset: '50', id: 'true', empty: undefined }
  assert.equal(stringifySearch(search), '?offset=50&id=true')
  assert.deepEqual(parseSearch('?offset=50&id=true'), { offset: '50', id: 'true' })
  assert.equal(stringifySearch({}), '')
})

const refused = (status: number, details: object, headers = {}) =>
  refusalOf(
    new ApiError(
      status,
      { type: 'conflict', message: 'No.', param: null, request_id: 'req_1', ...details } as never,
      new Headers(headers),
    ),
  )

test('a refusal says what may help', () => {
  const { message, requestId, again, needsPlan } = refused(409, {})
  assert.deepEqual([message, requestId, again, needsPlan], ['No.', 'req_1', false, false])
  assert.equal(refused(403, { type: 'plan_required' }).needsPlan, true)
  assert.equal(refused(412, { type: 'precondition_failed' }).isStale, true)
  assert.deepEqual(
    [refused(429, {}, { 'retry-after': '7' }), refused(503, {})].map(({ again, waitSeconds }) => [again, waitSeconds]),
    [
      [true, 7],
      [true, 0],
    ],
  )
  assert.deepEqual([refusalOf(new Error('broken')).again, refusalOf(new OfflineError()).again], [true, false])
})

test('a refusal is about a field or a part of it', () => {
  assert.deepEqual(
    ['working_hours', 'working_hours.mon.start', 'working_hours[0]', 'working', null].map((param) =>
      isAbout(param, 'working_hours'),
    ),
    [true, true, true, false, false],
  )
})

test('only what was changed is sent', () => {
  assert.deepEqual(changes({ a: 1, b: ['x'], c: 'y' }, { a: 1, b: ['x', 'z'], c: 'y' }), { b: ['x', 'z'] })
})
