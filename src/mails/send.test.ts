import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { openMail } from '../outbound/mail.ts'
import { adminToken, openTestService, type TestService } from '../testing/harness.ts'
import { mailsTo, type ReadMail, readMail } from '../testing/mailbox.ts'
import { openProcess } from '../testing/process.ts'
import { mailsDue } from './due.ts'
import { sendMail } from './send.ts'

type Taken = ReadMail & { raw: string; from: string; recipients: string[] }

let smtp: SMTPServer
let taken: Taken[]
/** What the server says to the next recipients; nothing: it takes the mail. */
let refusal: { code: number; text: string } | undefined
/** Called once a mail has come in, before the server says that it took it. */
let onMail: () => Promise<void>
let service: TestService
let call: TestService['call']

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
    async onData(stream, session, done) {
      const raw = Buffer.concat(await stream.toArray()).toString()
      const { mailFrom, rcptTo } = session.envelope
      taken.push({
        ...(await readMail(raw)),
        raw,
        from: mailFrom ? mailFrom.address : '',
        recipients: rcptTo.map(({ address }) => address),
      })
      await onMail()
      done()
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  service = await openTestService({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'calendar@example.org',
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'fatal',
    },
  })
  call = service.call
  reset()
})
afterAll(async () => {
  await service.close()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

function reset() {
  taken = []
  refusal = undefined
  onMail = async () => undefined
}
afterEach(async () => {
  reset()
  await service.app.sql`delete from mails`
})

let nth = 0
async function join(): Promise<string> {
  const email = `person${++nth}@example.com`
  const headers = { 'x-forwarded-for': `198.51.100.${nth}` }
  const { status } = await call('POST', '/v1/waitlist', { body: { email }, headers })
  assert.equal(status, 201)
  return email
}

/** The attempts made for each mail that still waits. */
const waiting = async () =>
  (await service.app.sql<{ attempts: number }[]>`select attempts from mails`).map(({ attempts }) => attempts)

test('a mail goes out as plain text in ASCII, from the one who was named, to its one recipient', async () => {
  const email = await join()
  assert.equal(taken.length, 0)
  await service.drain()
  assert.equal(taken.length, 1)
  const [{ mail, raw, from, recipients, text }] = taken as [Taken]
  assert.deepEqual([from, recipients], ['calendar@example.org', [email]])
  assert.deepEqual([mail.from?.address, mail.to?.map(({ address }) => address)], ['calendar@example.org', [email]])
  assert.equal(mail.subject, 'You are on the waitlist')
  assert.match(text, /^Thank you for your interest: you are on the waitlist\./)
  assert.equal(mail.html, undefined)
  assert.match(raw, /^[\r\n\x20-\x7e]*$/)
  assert.match(raw, /\r\nContent-Type: text\/plain; charset=utf-8\r\n/)
  assert.ok(raw.split('\r\n').every((line) => line.length < 78))
  assert.match(mail.messageId ?? '', /^<[0-9a-f-]{36}@example\.org>$/)
  assert.equal(new Date(mail.date ?? '').getTime(), service.clock.now().getTime())
  assert.deepEqual(await waiting(), [])
  await service.drain()
  assert.equal(taken.length, 1)
})

test('what waits says nothing to whoever reads the database', async () => {
  const email = await join()
  const [row] = await service.app.sql`select row_to_json(mails)::text as text, content_sealed from mails`
  assert.ok(!row!.text.includes(email) && !Buffer.from(row!.contentSealed).toString('latin1').includes(email))
})

test('a server that is busy gets the mail later, after longer and longer waits, once', async () => {
  const email = await join()
  refusal = { code: 451, text: 'try again later' }
  await service.drain()
  for (const seconds of [10, 30, 60, 120]) {
    await service.clock.advance(seconds * 1_000 - 1)
    const [before = 0] = await waiting()
    await service.drain()
    assert.deepEqual(await waiting(), [before], 'not a moment too soon')
    await service.clock.advance(1)
    await service.drain()
    assert.deepEqual(await waiting(), [before + 1])
  }
  refusal = undefined
  await service.clock.advance(300_000)
  await service.drain()
  assert.deepEqual(
    taken.map(({ to }) => to),
    [email],
  )
  assert.deepEqual(await waiting(), [])
})

test('a server that is away loses nothing', async () => {
  const email = await join()
  const real = service.app.mail
  service.app.mail = openMail({ ...service.app.config, smtpUrl: 'smtp://127.0.0.1:1' })
  await service.drain()
  assert.deepEqual(await waiting(), [1])
  service.app.mail = real
  await service.clock.advance(10_000)
  await service.drain()
  assert.deepEqual(
    taken.map(({ to }) => to),
    [email],
  )
})

test('a recipient that the server will never take is given up at once', async () => {
  await join()
  refusal = { code: 550, text: 'no such person' }
  await service.drain()
  assert.deepEqual(await waiting(), [])
  assert.equal(taken.length, 0)
})

test('after the last attempt a mail is given up', async () => {
  await join()
  refusal = { code: 451, text: 'try again later' }
  let attempts = 0
  for (; (await waiting()).length > 0; attempts++) {
    await service.drain()
    await service.clock.advance(12 * 3_600_000)
  }
  assert.equal(attempts, 11)
})

test('a code that would come too late is not sent', async () => {
  const { body } = await call('GET', '/v1/auth/terms/current')
  const sandbox = { email: 'late@late.example', agent_name: 'Late', tos_version: body.version }
  await call('POST', '/v1/agent/sign-up', { body: sandbox })
  refusal = { code: 451, text: 'try again later' }
  await service.drain()
  refusal = undefined
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.deepEqual([taken.length, (await waiting()).length], [0, 0])
})

test('of many workers at once one sends', async (t) => {
  await join()
  const others = await Promise.all([openProcess(service), openProcess(service)])
  t.onTestFinished(async () => {
    await Promise.all(others.map((other) => other.close()))
  })
  const [wakeup] = await mailsDue.due(service.app, service.clock.now())
  assert.ok(wakeup?.name === 'mail')
  const apps = [service, ...others].map(({ app }) => app)
  await Promise.all(Array.from({ length: 12 }, (_, at) => sendMail(apps[at % 3]!, wakeup.payload)))
  assert.equal(taken.length, 1)
})

test('a worker that dies after the server took the mail: it goes out again, under the same Message-ID', async (t) => {
  await join()
  const dying = await openProcess(service)
  t.onTestFinished(() => dying.close())
  const [wakeup] = await mailsDue.due(service.app, service.clock.now())
  assert.ok(wakeup?.name === 'mail')
  onMail = () => dying.app.sql.end({ timeout: 0 })
  await assert.rejects(sendMail(dying.app, wakeup.payload))
  onMail = async () => undefined
  await service.drain()
  assert.equal(taken.length, 1, 'the claim has not run out')
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal(taken.length, 2)
  assert.equal(taken[0]?.mail.messageId, taken[1]?.mail.messageId)
})

test('a change that did not happen sends nothing', async () => {
  const email = await join()
  await service.drain()
  taken = []
  const { data } = (await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body
  const path = `/v1/admin/orgs/${data[0].id}/activate`
  for (let n = 0; n < 3; n++) await call('POST', path, { key: adminToken })
  await service.drain()
  assert.deepEqual(
    taken.map(({ subject }) => subject),
    ['Your organization is activated'],
  )
})

test('without a server a mail is one readable file, whoever writes it how often', async (t) => {
  const alone = await openTestService()
  t.onTestFinished(() => alone.close())
  await alone.call('POST', '/v1/waitlist', { body: { email: 'file@example.com' } })
  const [wakeup] = await mailsDue.due(alone.app, alone.clock.now())
  assert.ok(wakeup?.name === 'mail')
  await alone.app.sql`create table kept as select * from mails`
  await sendMail(alone.app, wakeup.payload)
  await alone.app.sql`insert into mails select * from kept`
  await sendMail(alone.app, wakeup.payload)
  const names = await readdir(alone.app.config.mailDir)
  assert.equal(names.length, 1)
  assert.match(names[0] ?? '', /^2026-03-02T09-00-00\.000Z_[0-9a-f-]{36}_waitlist\.eml$/)
  const [read] = await mailsTo(alone, 'file@example.com')
  assert.equal(read?.subject, 'You are on the waitlist')
})
