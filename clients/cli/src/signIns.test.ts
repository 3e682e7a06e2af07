import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { signInsFile, writePrivately } from './privateFiles.ts'
import { currentSession } from './session.ts'
import { allSignIns, forgetSignIn, keepSignIn, putInUse, requireName, requireSignIn, signInInUse } from './signIns.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sign-ins-'))
  vi.stubEnv('XDG_CONFIG_HOME', home)
  vi.stubEnv('AGENT_CALENDAR_KEY', '')
  vi.stubEnv('AGENT_CALENDAR_URL', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

const one = { url: 'https://one.example', key: 'svc_sk_one', kind: "the organization's key" }
const other = { name: 'other', url: 'https://other.example', key: 'svc_sk_other', kind: "the organization's key" }
const names = () => allSignIns().map(({ name }) => name)

test('a file of an older version is one sign-in, which stays when another is added', () => {
  writePrivately(signInsFile(), one)
  assert.deepEqual(currentSession(undefined), { name: 'default', ...one })
  keepSignIn(other)
  assert.deepEqual([names(), signInInUse()?.name], [['default', 'other'], 'other'])
  putInUse('default')
  assert.equal(currentSession(undefined).key, one.key)
})

test('the same name again replaces its sign-in', () => {
  keepSignIn(other)
  keepSignIn({ ...other, key: 'svc_sk_new' })
  assert.deepEqual(
    allSignIns().map(({ key }) => key),
    ['svc_sk_new'],
  )
})

test('without the one in use a command says how to choose another, and without any how to sign in', () => {
  keepSignIn({ name: 'default', ...one })
  keepSignIn(other)
  forgetSignIn('other')
  assert.throws(() => currentSession(undefined), /No sign-in is in use.*auth switch default/)
  forgetSignIn('default')
  assert.throws(() => currentSession(undefined), /You are not signed in/)
})

test('another service is named with the sign-in that is kept for it', () => {
  keepSignIn({ name: 'default', ...one })
  keepSignIn(other)
  assert.throws(() => currentSession('https://one.example/'), /Sign in there: agent-calendar auth switch default/)
  assert.throws(() => currentSession('https://third.example'), /agent-calendar login --url https:\/\/third.example/)
})

test('an ended session says under which name to sign in again', () => {
  keepSignIn({ ...other, expires_at: '2020-01-01T00:00:00Z' })
  assert.throws(() => currentSession(undefined), /has ended. Sign in again: agent-calendar login --as other --email/)
})

test('an unknown name is refused with those that are kept', () => {
  assert.throws(() => requireSignIn('acme'), /There is no sign-in "acme". None is kept: agent-calendar login/)
  keepSignIn(other)
  keepSignIn({ name: 'default', ...one })
  assert.throws(() => requireSignIn('__proto__'), /There is no sign-in "__proto__". There are: default, other\./)
})

test('a name has letters, digits and few signs', () => {
  for (const name of ['acme', 'ada@example.com', '2', 'a'.repeat(64)]) assert.equal(requireName(name), name)
  for (const name of ['', 'a b', '-x', '../x', 'a'.repeat(65), 'é'])
    assert.throws(() => requireName(name), /is no name of a sign-in/)
})
