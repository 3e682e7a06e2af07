import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'vitest'
import { qrCode } from './qr.ts'

// The hashes are of codes that an independent reader has read back.
test('codes of several versions are those that a reader reads', () => {
  const url = 'otpauth://totp/agent-calendar:ada%40example.com?secret=ABCDEFGH&issuer=x'.repeat(10)
  const codes = [10, 60, 150, 300, 660].map((length) => qrCode(url.slice(0, length)))
  const hashOf = (rows: (typeof codes)[number]) =>
    createHash('sha256')
      .update(rows.map((row) => row.map(Number).join('')).join('\n'))
      .digest('hex')
      .slice(0, 12)
  assert.deepEqual(
    codes.map((rows) => [rows.length, hashOf(rows)]),
    [
      [21, 'fffc60983b81'],
      [33, 'b661a548aa93'],
      [49, '843cc38daa81'],
      [69, '9ef48a8c072d'],
      [97, '14a5fff1de95'],
    ],
  )
  assert.throws(() => qrCode(url.slice(0, 667)))
})
