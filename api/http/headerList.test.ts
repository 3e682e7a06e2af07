import assert from 'node:assert/strict'
import { test } from 'vitest'
import { removeHeader, setHeader } from './headerList.ts'

test('a header that is set again replaces the first, in whatever case it was written', () => {
  const headers = ['Cache-Control', 'no-store', 'X-Request-Id', 'req_1']
  setHeader(headers, 'cache-control', 'private')
  setHeader(headers, 'Retry-After', 7)
  assert.deepEqual(headers, ['X-Request-Id', 'req_1', 'cache-control', 'private', 'Retry-After', '7'])
})

test('a list of values is as many headers, which are replaced and removed together', () => {
  const headers = ['ETag', '"1"']
  setHeader(headers, 'Set-Cookie', ['a=1', 'b=2'])
  assert.deepEqual(headers, ['ETag', '"1"', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
  setHeader(headers, 'Set-Cookie', ['c=3'])
  assert.deepEqual(headers, ['ETag', '"1"', 'Set-Cookie', 'c=3'])
  removeHeader(headers, 'set-cookie')
  assert.deepEqual(headers, ['ETag', '"1"'])
})

test('a value that spells the name of a header is no header', () => {
  const headers = ['X-One', 'ETag']
  removeHeader(headers, 'ETag')
  assert.deepEqual(headers, ['X-One', 'ETag'])
})
