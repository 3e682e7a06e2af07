import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openStrangeServer, refusal, sendJson } from '../../testing/client.ts'
import { commandLineTest } from '../../testing/commandLine.ts'

const test = commandLineTest()

test('login keeps the key for this user alone, shows it nowhere, and logout forgets it', async ({
  newUser,
  service,
  key,
}) => {
  const user = newUser()
  const signedIn = await user.run(['login', '--url', service.baseUrl], { input: `${key}\n` })
  assert.deepEqual([signedIn.code, signedIn.out], [0, ''])
  assert.equal(signedIn.err, `Signed in to ${service.baseUrl} with the organization's key.\n`)
  const file = join(user.home, '.config/agent-calendar/session.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).sign_ins[0].key, key)
  chmodSync(file, 0o644)
  const status = await user.run(['status'])
  assert.equal(status.code, 0)
  assert.ok(!(status.out + status.err + signedIn.err).includes(key.slice(0, 12)))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await user.run(['logout'])).code, 0)
  const after = await user.run(['agents', 'list'])
  assert.deepEqual([after.code, after.out], [3, ''])
  assert.match(after.err, /not signed in. Sign in with agent-calendar login/)
})

test('a key that the service does not know is not kept, nor is one sent in plain text to another machine', async ({
  stranger,
  service,
}) => {
  const unknown = await stranger.run(['login', '--url', service.baseUrl], { input: 'svc_sk_wrong\n' })
  assert.deepEqual([unknown.code, unknown.out], [2, ''])
  assert.match(unknown.err, /does not know this key. Nothing was kept./)
  assert.ok(!unknown.err.includes('svc_sk_wrong'))
  const plain = await stranger.run(['login', '--url', 'http://calendar.example.com'], { input: 'svc_sk_x\n' })
  assert.equal(plain.code, 2)
  assert.match(plain.err, /not encrypted/)
  assert.equal((await stranger.run(['login', '--url', service.baseUrl])).code, 2)
})

test('a console session is kept with its end, and ended by logout', async ({ newUser, service, calendar }) => {
  const email = 'ada@example.com'
  const password = 'correct horse battery staple'
  const { version } = await calendar.terms.getCurrent()
  await calendar.accounts.signUp({ email, password, tos_version: version })
  const user = newUser()
  // The session ends by the clock of the service.
  await service.clock.set(new Date())
  const signedIn = await user.run(['login', '--url', service.baseUrl, '--email', email], { input: `${password}\n` })
  assert.equal(signedIn.code, 0, signedIn.err)
  assert.match(signedIn.err, /with a console session/)
  const me = await user.run(['accounts', 'get', '--json'])
  assert.equal(me.code, 0, me.err)
  assert.equal((await user.run(['logout'])).code, 0)
})

test('the kept key goes to no other service', async ({ user }) => {
  const thief = await openStrangeServer((response) => sendJson(response, 200, { data: [] }))
  try {
    const byOption = await user.run(['agents', 'list', '--url', thief.url])
    const byVariable = await user.run(['agents', 'list'], { env: { AGENT_CALENDAR_URL: thief.url } })
    assert.deepEqual([byOption.code, byVariable.code, thief.requests.length], [3, 3, 0])
    assert.match(byOption.err, /You are signed in to .*, not to/)
  } finally {
    await thief.close()
  }
})

test('resources are made, listed, changed and read, as text and as JSON', async ({ user }) => {
  const made = await user.run(['calendars', 'create', '--name', 'Meetings', '--timezone', 'Europe/Berlin', '--json'])
  assert.equal(made.code, 0, made.err)
  const { id } = JSON.parse(made.out)
  const event = await user.run([
    ...['events', 'create', id, '--title', 'Planning', '--reminders', '5,10', '--metadata', '{"team":"a"}', '--json'],
    ...['--start-time', '2026-03-03T10:00[Europe/Berlin]', '--end-time', '2026-03-03T11:00[Europe/Berlin]'],
    ...['--require-free', '--view', 'local'],
  ])
  assert.equal(event.code, 0, event.err)
  const record = JSON.parse(event.out)
  assert.deepEqual([record.reminders, record.metadata, record.local.weekday], [[5, 10], { team: 'a' }, 'Tuesday'])
  const listed = await user.run(['events', 'list', id, '--view', 'local'])
  assert.match(
    listed.out,
    /^id +title +status +when +calendarId.*\n.*Tuesday 3 March 2026, 10:00–11:00 \(Europe\/Berlin/,
  )
  const taken = await user.run([
    ...['events', 'create', id, '--title', 'Again', '--require-free', '--explain'],
    ...['--start-time', '2026-03-03T09:00Z', '--end-time', '2026-03-03T10:00Z'],
  ])
  assert.equal(taken.code, 5)
  assert.match(taken.err, new RegExp(`In the way: event ${record.id} 2026-03-03T09:00:00.000Z to 2026-03-03T10:00`))
  assert.match(taken.err, /Free instead:\n +2026-03-03T10:00:00.000Z to 2026-03-03T11:00/)
  for (let n = 0; n < 3; n++) await user.run(['agents', 'create', '--name', `Agent ${n}`, '--type', 'ai'])
  const list = await user.run(['agents', 'list', '--limit', '2'])
  assert.match(list.out, /^id +name +type +status/)
  assert.match(list.err, /^2 of \d+\. Add --all/)
  const all = JSON.parse((await user.run(['agents', 'list', '--limit', '2', '--all', '--json'])).out)
  assert.ok(all.length >= 3)
  const changed = await user.run(['events', 'update', id, record.id, '--title', 'Later', '--reminders', 'null'])
  assert.match(changed.out, /^title +Later$/m)
  assert.match(changed.out, /^reminders +-$/m)
  const gone = await user.run(['events', 'delete', id, record.id])
  assert.deepEqual([gone.code, gone.out], [0, 'Done.\n'])
  const piped = await user.run(['calendars', 'create', '--body', '-', '--json'], {
    input: '{"name":"P","timezone":"UTC"}',
  })
  assert.equal(JSON.parse(piped.out).name, 'P')
})

test('what is wrong is said, with what to do, and has an exit code', async ({ user, service }) => {
  const wrong: [words: string[], code: number, said: RegExp][] = [
    [['evnts', 'list'], 2, /Did you mean events/],
    [['events', 'fry'], 2, /There is no command events fry/],
    [['events'], 2, /Which command\?/],
    [['events', 'create'], 2, /missing required argument 'cal_id'/],
    [['agents', 'create', '--name', 'A'], 2, /This needs --type\.\nFor example: agent-calendar agents create/],
    [['agents', 'create', '--name', 'A', '--type', 'alien'], 2, /--type is one of ai, human, resource/],
    [['agents', 'create', '--nmae', 'A'], 2, /unknown option '--nmae'/],
    [['agents', 'list', '--limit', 'many'], 2, /--limit takes numbers/],
    [['agents', 'create', '--body', '{'], 2, /--body is not JSON/],
    [['agents', 'create', '--body', '@nowhere'], 2, /@nowhere cannot be read/],
    [['agents', 'get', 'agt_unknown'], 4, /No such agent.*\n.*not_found, request req_/s],
    [
      [
        'events',
        'create',
        'cal_x',
        '--title',
        'x',
        '--start-time',
        '2026-03-29T02:30[Europe/Berlin]',
        '--end-time',
        '2026-03-29T05:00Z',
      ],
      1,
      /Look at --start-time\.\n +Try: 2026/,
    ],
    [['--url', 'http://localhost:3999', 'agents', 'list'], 3, /You are signed in to/],
    [['--url', 'nonsense', 'agents', 'list'], 2, /--url: expected an address/],
  ]
  for (const [words, code, said] of wrong) {
    const ran = await user.run(words)
    assert.deepEqual([ran.code, ran.out], [code, ''], `${words.join(' ')}: ${ran.err}`)
    assert.match(ran.err, said, words.join(' '))
    assert.match(ran.err, /^agent-calendar: /)
  }
  const env = { AGENT_CALENDAR_KEY: 'svc_sk_x', AGENT_CALENDAR_URL: service.baseUrl }
  const unknown = await user.run(['agents', 'list'], { env })
  assert.equal(unknown.code, 3)
  assert.match(unknown.err, /Sign in again: agent-calendar login/)
  const nobody = await openStrangeServer(() => undefined)
  await nobody.close()
  const away = await user.run(['agents', 'list'], { env: { ...env, AGENT_CALENDAR_URL: nobody.url } })
  assert.equal(away.code, 7)
  assert.match(away.err, /cannot be reached: ECONNREFUSED\n.*Is the service running/)
})

test('sequences for terminals are shown, not obeyed, in every form of output', async ({ newUser }) => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31mred\u202etxt.exe\r\u0000'
  const server = await openStrangeServer((response, _, { url }) => {
    if (url === '/v1/agents/agt_bad') sendJson(response, 404, refusal('not_found', { message: evil, request_id: evil }))
    else if (url === '/v1/agents/agt_1') sendJson(response, 200, { [evil]: evil, id: evil, deep: { [evil]: [evil] } })
    else sendJson(response, 200, { data: [{ id: evil, [evil]: evil }], total: 1, limit: 50, offset: 0 })
  })
  try {
    const env = { AGENT_CALENDAR_KEY: 'svc_sk_x', AGENT_CALENDAR_URL: server.url }
    const user = newUser()
    for (const words of [
      ['list'],
      ['list', '--json'],
      ['get', 'agt_1'],
      ['get', 'agt_1', '--json'],
      ['get', 'agt_bad'],
    ]) {
      const { out, err } = await user.run(['agents', ...words], { env })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
      assert.doesNotMatch(out + err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/, words.join(' '))
      assert.match(out + err, /\\u001b/)
      if (words.includes('--json')) assert.ok(JSON.stringify(JSON.parse(out)).includes('owned'))
    }
  } finally {
    await server.close()
  }
})

test('every command has help with an example, and completion knows it', async ({ stranger }) => {
  const help = await stranger.run(['events', 'create', '--help'])
  assert.deepEqual([help.code, help.err], [0, ''])
  assert.match(
    help.out,
    /^Usage: agent-calendar events create \[options\] <cal_id>\n\nCreate an event or place a hold\./,
  )
  assert.match(help.out, /Example:\n {2}agent-calendar events create cal_\w+ --title Planning --start-time 2026/)
  const bare = await stranger.run([])
  assert.equal(bare.code, 0)
  assert.match(bare.out, /^Usage: agent-calendar \[options\] \[command\]\n.*Begin with:\n {2}agent-calendar login/s)
  const completed: [words: string[], found: string][] = [
    [['ev'], 'events'],
    [['events', 'cr'], 'create'],
    [['events', 'create', 'cal_1', '--sta'], '--start-time\n--status'],
    [['events', 'create', 'cal_1', '--status', 'te'], 'tentative'],
    [['completion', 'z'], 'zsh'],
    [['changes', 'f'], 'follow'],
    [['auth', 's'], 'switch'],
  ]
  for (const [words, found] of completed) {
    assert.equal((await stranger.run(['complete', '--', ...words])).out, `${found}\n`, words.join(' '))
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    assert.match((await stranger.run(['completion', shell])).out, /agent-calendar complete --/)
  }
  assert.equal((await stranger.run(['--version'])).out, '0.1.0\n')
})

test('a proxy that Node was told to use is not asked for this machine', async ({ user, service }) => {
  const dead = 'http://127.0.0.1:1'
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: dead, http_proxy: dead, NO_PROXY: 'intranet.example' }
  const listed = await user.run(['agents', 'list', '--json', '--url', service.baseUrl], { env })
  assert.equal(listed.code, 0, listed.err)
})

test('a wrong address is refused by the name of its variable or option', async ({ stranger }) => {
  for (const address of ['nonsense', 'http://', 'ftp://localhost', 'http://user:password@localhost']) {
    const env = { AGENT_CALENDAR_KEY: 'svc_sk_x', AGENT_CALENDAR_URL: address }
    const byVariable = await stranger.run(['agents', 'list'], { env })
    assert.equal(byVariable.code, 2, byVariable.err)
    assert.match(byVariable.err, /^agent-calendar: AGENT_CALENDAR_URL: expected an address such as /)
    const byOption = await stranger.run(['login', '--url', address], { input: 'svc_sk_x\n' })
    assert.equal(byOption.code, 2, byOption.err)
    assert.match(byOption.err, /--url: expected an address such as /)
  }
})
