import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openRenaming } from './interim.ts'

const continueWork = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </100>\r\nx: 100\r\n\r\n'
const final = 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 in the body\r\n\r\n'

/** The responses as undici gets them, cut into chunks of `size` bytes. */
function passed(text: string, size: number): string {
  const rename = openRenaming()
  let all = ''
  for (let at = 0; at < text.length; at += size) {
    const chunk = Buffer.from(text.slice(at, at + size))
    rename.take(chunk)
    all += chunk
  }
  return all
}

test('each 100 before the final response becomes a 102, and no other byte changes', () => {
  const renamed = continueWork.replace('100', '102')
  for (const size of [1, 2, 3, 7, 11, 1_000]) {
    assert.equal(
      passed(`${continueWork}${hints}\r\n${continueWork}${final}`, size),
      `${renamed}${hints}\r\n${renamed}${final}`,
    )
    assert.equal(passed(final, size), final)
    assert.equal(passed('HTTP/1.1 101 x\r\n\r\n', size), 'HTTP/1.1 101 x\r\n\r\n')
  }
})

test('the next request of the connection begins anew', () => {
  const rename = openRenaming()
  rename.take(Buffer.from(final))
  rename.restart()
  const chunk = Buffer.from(continueWork)
  rename.take(chunk)
  assert.match(chunk.toString(), /^HTTP\/1.1 102 /)
})
