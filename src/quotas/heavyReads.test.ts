import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { newId } from '../shapes/ids.ts'
import { serviceTest } from '../testing/test.ts'
import { type Answering, heavyRead, heavyReadOfChange, inAnswer, leavePlaces, nextPiece } from './heavyReads.ts'
import { type Account, restMs, usedAt } from './loopShare.ts'

const test = serviceTest()

const newAnswer = (): Answering => ({ orgId: undefined, leaving: [], isOver: false })

test('an answer keeps its place until it is written, and needs no second one', async ({ service: { app } }) => {
  const orgId = newId()
  const read = (answer: Answering, work = async () => 'read') =>
    inAnswer(answer, () => heavyRead(app, orgId, 'list', work))
  const answers = [newAnswer(), newAnswer()]
  for (const answer of answers) {
    assert.equal(await read(answer), 'read')
    assert.equal(await read(answer), 'read')
    assert.deepEqual([answer.orgId, answer.leaving.length], [orgId, 1])
  }
  let isRead = false
  const waiting = heavyRead(app, orgId, 'list', async () => {
    isRead = true
  })
  await nextTurn()
  assert.equal(isRead, false)
  leavePlaces(answers[0]!)
  await waiting
  assert.equal(isRead, true)
  leavePlaces(answers[1]!)
})

test('a read that fails leaves its place with its answer, and one that ends after it leaves at once', async ({
  service: { app },
}) => {
  const orgId = newId()
  for (let nth = 0; nth < 5; nth++) {
    const answer = newAnswer()
    const failing = async () => assert.fail('it fails')
    await assert.rejects(inAnswer(answer, () => heavyRead(app, orgId, 'list', failing)))
    leavePlaces(answer)
    await inAnswer(answer, () => heavyRead(app, orgId, 'list', async () => undefined))
    assert.equal(answer.leaving.length, 0)
  }
})

test('a change leaves its place when it has read, however long its answer waits', async ({ service: { app } }) => {
  const orgId = newId()
  const answers = [newAnswer(), newAnswer(), newAnswer()]
  for (const answer of answers) {
    const read = () => heavyReadOfChange(app, orgId, 'availability', async () => 'read')
    assert.equal(await inAnswer(answer, read), 'read')
    assert.equal(answer.leaving.length, 0)
  }
  assert.equal(await heavyRead(app, orgId, 'availability', async () => 'read'), 'read')
})

test('the pieces of a stream keep no place', async ({ service: { app } }) => {
  const answer = newAnswer()
  for (let nth = 0; nth < 5; nth++) await inAnswer(answer, () => nextPiece(app, newId(), async () => undefined))
  assert.equal(answer.leaving.length, 0)
})

test('an organization may take a burst of the loop, then a share of each second', () => {
  const account: Account = { usedMs: 1_000, at: 0 }
  assert.equal(usedAt(account, 1_000), 750)
  assert.equal(restMs(account, 0), 3_000)
  assert.equal(restMs(account, 2_000), 1_000)
  assert.ok(restMs(account, 3_000) <= 0)
  assert.equal(usedAt(account, 10_000), 0)
})
