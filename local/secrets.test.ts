import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { keptSecrets } from './secrets.ts'

const dir = mkdtempSync(join(tmpdir(), 'secrets-test-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('secrets are made once, kept with mode 0600, and accepted by the service', () => {
  const first = keptSecrets(dir, {})
  assert.deepEqual(keptSecrets(dir, {}), first)
  assert.equal(statSync(join(dir, 'secrets.json')).mode & 0o777, 0o600)
  readConfig({ ...first, DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1' })
})

test('a secret of the environment is used, and not stored', () => {
  const before = readFileSync(join(dir, 'secrets.json'), 'utf8')
  assert.equal(keptSecrets(dir, { ADMIN_TOKEN: 'from-the-environment' }).ADMIN_TOKEN, 'from-the-environment')
  assert.equal(readFileSync(join(dir, 'secrets.json'), 'utf8'), before)
})

test('a broken file is never replaced: the encryption keys may be in it', () => {
  writeFileSync(join(dir, 'secrets.json'), '{"ENCRYPTION_KEYS": "k1:')
  assert.throws(() => keptSecrets(dir, {}), /secrets\.json is not readable JSON/)
  assert.equal(readFileSync(join(dir, 'secrets.json'), 'utf8'), '{"ENCRYPTION_KEYS": "k1:')
})
