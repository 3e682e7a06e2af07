import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { openFeedCache } from './feedCache.ts'

const [a, b, c, large] = [newId(), newId(), newId(), newId()]
const feed = (etag: string, bytes: number) => async () => ({ etag, body: Buffer.alloc(bytes) })
const unexpected = async () => assert.fail('was to come from the cache')

test('a feed is written once for its ETag, and anew for another one', async () => {
  const read = openFeedCache(100, 50)
  const first = await read(a, '"1"', feed('"1"', 10))
  assert.equal(await read(a, '"1"', unexpected), first)
  assert.equal((await read(a, '"2"', feed('"2"', 10))).etag, '"2"')
  assert.equal((await read(a, '"1"', feed('"1"', 10))).etag, '"1"')
})

test('those who ask while it is being written share the writing, also its failure', async () => {
  const read = openFeedCache(100, 50)
  const writing = Promise.withResolvers<{ etag: string; body: Buffer }>()
  const first = read(a, '"1"', () => writing.promise)
  const second = read(a, '"1"', unexpected)
  writing.reject(new Error('no database'))
  await assert.rejects(first, /no database/)
  await assert.rejects(second, /no database/)
  assert.equal((await read(a, '"1"', feed('"1"', 10))).etag, '"1"')
})

test('the longest unread feeds make room, and one that is too large is not kept', async () => {
  const read = openFeedCache(100, 50)
  await read(a, '"1"', feed('"1"', 40))
  await read(b, '"1"', feed('"1"', 40))
  await read(a, '"1"', unexpected)
  await read(c, '"1"', feed('"1"', 40))
  await read(a, '"1"', unexpected)
  await read(c, '"1"', unexpected)
  let written = 0
  const again = async () => {
    written++
    return { etag: '"1"', body: Buffer.alloc(40) }
  }
  await read(b, '"1"', again)
  assert.equal(written, 1)
  await read(large, '"1"', feed('"1"', 51))
  await assert.rejects(read(large, '"1"', unexpected))
})
