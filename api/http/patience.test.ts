// Answers that would come too late.
import assert from 'node:assert/strict'
import type { Request } from 'express'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { answerInTime } from './patience.ts'

const second = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Asked = Parameters<typeof answerInTime>[0]

const asked = (route: Partial<Asked['route']> = {}, req: object = {}): Asked => ({
  route: { method: 'post', ...route },
  req: { complete: true, query: {}, ...req } as Request,
})

/** The work ends after so many seconds; the answer, and the outcomes that came too late. */
function workOf(seconds: number, of = asked()) {
  const abandoned: string[] = []
  const work = new Promise<string>((resolve) => setTimeout(resolve, seconds * second, 'done'))
  const answer = answerInTime(of, work, (outcome) => abandoned.push(outcome)).catch((error: Error) => error.message)
  return { answer, abandoned }
}

test('work in time is the answer', async () => {
  const { answer, abandoned } = workOf(11)
  await vi.advanceTimersByTimeAsync(30 * second)
  assert.equal(await answer, 'done')
  assert.deepEqual(abandoned, [])
})

test('a late change may have happened, and its outcome is handed over when it comes', async () => {
  const { answer, abandoned } = workOf(20)
  await vi.advanceTimersByTimeAsync(12 * second)
  assert.match(await answer, /A write may or may not have happened/)
  assert.deepEqual(abandoned, [])
  await vi.advanceTimersByTimeAsync(8 * second)
  assert.deepEqual(abandoned, ['done'])
})

test('a late read has written nothing', async () => {
  const { answer } = workOf(20, asked({ method: 'get' }))
  await vi.advanceTimersByTimeAsync(12 * second)
  assert.match(await answer, /Nothing was written/)
})

test('a long poll may wait as long as it asked to, and then as long as any other request', async () => {
  const poll = () => asked({ method: 'get', waits: true }, { query: { wait: '30' } })
  const [inTime, late] = [workOf(41, poll()), workOf(43, poll())]
  await vi.advanceTimersByTimeAsync(50 * second)
  assert.equal(await inTime.answer, 'done')
  assert.match(await late.answer, /did not answer in time/)
})

test.for(['2147483647', '-100', 'soon'])(
  'a wait of %s is refused by the route, and not for taking long',
  async (wait) => {
    const { answer } = workOf(11, asked({ method: 'get', waits: true }, { query: { wait } }))
    await vi.advanceTimersByTimeAsync(11 * second)
    assert.equal(await answer, 'done')
  },
)

test('the time of an upload is the client’s own', async () => {
  const req = { complete: false }
  const slow = asked({}, req)
  Object.defineProperty(slow.req, 'complete', { get: () => req.complete })
  const { answer } = workOf(13, slow)
  await vi.advanceTimersByTimeAsync(13 * second)
  req.complete = true
  assert.equal(await answer, 'done')
})

test('somebody else’s server may take its own time', async () => {
  const { answer } = workOf(25, asked({ asksOthers: true }))
  await vi.advanceTimersByTimeAsync(25 * second)
  assert.equal(await answer, 'done')
})
