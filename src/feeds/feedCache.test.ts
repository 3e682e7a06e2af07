import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openFeedCache, type WrittenFeed } from './feedCache.ts'

const [a, b, c, large] = ['a', 'b', 'c', 'large']
const written = (etag: string, bytes: number): WrittenFeed => ({
  etag,
  basis: '',
  body: Buffer.alloc(bytes - 4),
  versions: Buffer.alloc(0),
  starts: new Uint32Array(1),
})
const feed = (etag: string, bytes: number) => async () => written(etag, bytes)
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
  const writing = Promise.withResolvers<WrittenFeed>()
  const first = read(a, '"1"', () => writing.promise)
  const second = read(a, '"1"', unexpected)
  writing.reject(new Error('no database'))
  await assert.rejects(first, /no database/)
  await assert.rejects(second, /no database/)
  assert.equal((await read(a, '"1"', feed('"1"', 10))).etag, '"1"')
})

test('a feed is written from the last one of its calendar', async () => {
  const read = openFeedCache(100, 50)
  const seen: unknown[] = []
  const writeFrom = (etag: string) => async (last: WrittenFeed | undefined) => {
    seen.push(last?.etag)
    return written(etag, 10)
  }
  for (const etag of ['"1"', '"2"', '"3"']) await read(a, etag, writeFrom(etag))
  await read(b, '"1"', writeFrom('"1"'))
  assert.deepEqual(seen, [undefined, '"1"', '"2"', undefined])
})

test('the longest unread feeds make room, and one that is too large is not kept', async () => {
  const read = openFeedCache(100, 50)
  await read(a, '"1"', feed('"1"', 40))
  await read(b, '"1"', feed('"1"', 40))
  await read(a, '"1"', unexpected)
  await read(c, '"1"', feed('"1"', 40))
  await read(a, '"1"', unexpected)
  await read(c, '"1"', unexpected)
  let count = 0
  const again = async () => {
    count++
    return written('"1"', 40)
  }
  await read(b, '"1"', again)
  assert.equal(count, 1)
  await read(large, '"1"', feed('"1"', 51))
  await assert.rejects(read(large, '"1"', unexpected))
})
