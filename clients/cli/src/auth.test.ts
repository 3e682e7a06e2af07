// Several sign-ins of one user, as the user has them: the real program against the real service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAccount, password } from '../../../src/testing/accounts.ts'
import { codeOf, turnOnFactor } from '../../../src/testing/factors.ts'
import { commandLineTest } from '../../testing/commandLine.ts'

const test = commandLineTest()

const keyOf = ({ home }: { home: string }, name: string): string =>
  JSON.parse(readFileSync(join(home, '.config/agent-calendar/session.json'), 'utf8')).sign_ins.find(
    (one: { name: string }) => one.name === name,
  ).key

test('sign-ins have names: they are listed, one is in use, and a removed session has ended', async ({
  newUser,
  service,
  key,
}) => {
  await service.clock.set(new Date())
  const { email } = await makeAccount(service)
  const user = newUser()
  const ok = async (words: string[], input = '') => {
    const ran = await user.run(words, { input })
    assert.equal(ran.code, 0, `${words.join(' ')}: ${ran.err}`)
    return ran
  }
  const url = ['--url', service.baseUrl]
  await ok(['login', ...url], `${key}\n`)
  const second = await ok(['login', ...url, '--as', 'acme', '--email', email], `${password}\n`)
  assert.match(second.err, /with a console session, as acme\./)
  const token = keyOf(user, 'acme')
  const listed = JSON.parse((await ok(['auth', 'list', '--json'])).out)
  assert.deepEqual(
    listed.map(({ expires_at: _, ...one }: { expires_at: string }) => one),
    [
      { name: 'acme', in_use: true, url: service.baseUrl, signed_in_with: 'a console session' },
      { name: 'default', in_use: false, url: service.baseUrl, signed_in_with: "the organization's key" },
    ],
  )
  assert.match((await ok(['accounts', 'get', '--json'])).out, new RegExp(email))
  await ok(['auth', 'switch', 'default'])
  await ok(['agents', 'list'])
  const { out } = await ok(['auth', 'list'])
  assert.match(out, /^name +in_use.*\nacme +- .*\ndefault +\* /)
  assert.ok(![key, token].some((secret) => out.includes(secret.slice(0, 12))))
  const unknown = await user.run(['auth', 'switch', 'acne'])
  assert.deepEqual([unknown.code, unknown.out], [2, ''])
  assert.equal(unknown.err, 'agent-calendar: There is no sign-in "acne". There are: acme, default.\n')
  assert.equal((await service.call('GET', '/v1/auth/me', { key: token })).status, 200)
  await ok(['auth', 'remove', 'acme'])
  assert.equal((await service.call('GET', '/v1/auth/me', { key: token })).status, 401)
  assert.equal(keyOf(user, 'default'), key)
})

test('an account with a second factor is asked for its code', async ({ newUser, service, call }) => {
  await service.clock.set(new Date())
  const { email, token } = await makeAccount(service)
  const { secret } = await turnOnFactor(service, token)
  await service.clock.advance(30_000)
  const user = newUser()
  const input = `${password}\n${codeOf(service, secret)}\n`
  const { code, err } = await user.run(['login', '--url', service.baseUrl, '--email', email], { input })
  assert.equal(code, 0, err)
  assert.equal((await call('GET', '/v1/auth/session', { key: keyOf(user, 'default') })).body.account.email, email)
})
