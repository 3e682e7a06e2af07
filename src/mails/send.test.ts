import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { composeGuestMail } from '../bookingPages/guestMail.ts'
import { openMail } from '../outbound/mail.ts'
import { decodeId, newId } from '../shapes/ids.ts'
import { adminToken, openTestService } from '../testing/harness.ts'
import { mailsTo } from '../testing/mailbox.ts'
import { openProcess } from '../testing/process.ts'
import { openSmtpServer } from '../testing/smtpServer.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { mailsDue } from './due.ts'
import { sendMail } from './send.ts'

const test = serviceTest()
  // It needs nothing, but a fixture must name what it takes.
  .extend('smtp', perFile, async ({ options: _ }, { onCleanup }) => {
    const smtp = await openSmtpServer()
    onCleanup(smtp.close)
    return smtp
  })
  .override('service', perFile, async ({ smtp }, { onCleanup }) => {
    const service = await openTestService({
      env: {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'calendar@example.org',
        TRUSTED_PROXIES: 'loopback',
        LOG_LEVEL: 'fatal',
      },
    })
    onCleanup(service.close)
    return service
  })
  /** Makes a mail, to the address that it returns. */
  .extend('join', perFile, ({ call }) => {
    let nth = 0
    return async () => {
      const email = `person${++nth}@example.com`
      const headers = { 'x-forwarded-for': `198.51.100.${nth}` }
      const { status } = await call('POST', '/v1/waitlist', { body: { email }, headers })
      assert.equal(status, 201)
      return email
    }
  })
  /** The attempts made for each mail that still waits. */
  .extend('waiting', perFile, ({ service }) => async () => {
    const rows = await service.app.sql<{ attempts: number }[]>`select attempts from mails`
    return rows.map(({ attempts }) => attempts)
  })

test.beforeEach(async ({ service, smtp }) => {
  smtp.reset()
  await service.app.sql`delete from mails`
})

test('a mail is plain text in ASCII, from the configured sender to its one recipient', async ({
  service,
  smtp,
  join,
  waiting,
}) => {
  const email = await join()
  assert.equal(smtp.taken.length, 0)
  await service.drain()
  assert.equal(smtp.taken.length, 1)
  const { mail, raw, from, recipients, text } = smtp.taken[0]!
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
  assert.equal(smtp.taken.length, 1)
})

test('the database does not show to whom a mail that waits is addressed', async ({ service, join }) => {
  const email = await join()
  const [row] = await service.app.sql`select row_to_json(mails)::text as text, content_sealed from mails`
  assert.ok(!row!.text.includes(email) && !Buffer.from(row!.contentSealed).toString('latin1').includes(email))
})

test('a busy server gets the mail later, after longer and longer waits, and only once', async ({
  service,
  smtp,
  join,
  waiting,
}) => {
  const email = await join()
  smtp.refusal = { code: 451, text: 'try again later' }
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
  smtp.refusal = undefined
  await service.clock.advance(300_000)
  await service.drain()
  assert.deepEqual(
    smtp.taken.map(({ to }) => to),
    [email],
  )
  assert.deepEqual(await waiting(), [])
})

test('no mail is lost while the server is away', async ({ service, smtp, join, waiting }) => {
  const email = await join()
  const real = service.app.mail
  service.app.mail = openMail({ ...service.app.config, smtpUrl: 'smtp://127.0.0.1:1' })
  await service.drain()
  assert.deepEqual(await waiting(), [1])
  service.app.mail = real
  await service.clock.advance(10_000)
  await service.drain()
  assert.deepEqual(
    smtp.taken.map(({ to }) => to),
    [email],
  )
})

test('a mail that the server refuses for good is given up at once', async ({ service, smtp, join, waiting }) => {
  await join()
  smtp.refusal = { code: 550, text: 'no such person' }
  await service.drain()
  assert.deepEqual(await waiting(), [])
  assert.equal(smtp.taken.length, 0)
})

test('after the last attempt a mail is given up', async ({ service, smtp, join, waiting }) => {
  await join()
  smtp.refusal = { code: 451, text: 'try again later' }
  let attempts = 0
  for (; (await waiting()).length > 0; attempts++) {
    await service.drain()
    await service.clock.advance(12 * 3_600_000)
  }
  assert.equal(attempts, 11)
})

test('a mail whose code has expired is not sent', async ({ service, smtp, waiting }) => {
  const { body } = await service.call('GET', '/v1/auth/terms/current')
  const sandbox = { email: 'late@late.example', agent_name: 'Late', tos_version: body.version }
  await service.call('POST', '/v1/agent/sign-up', { body: sandbox })
  smtp.refusal = { code: 451, text: 'try again later' }
  await service.drain()
  smtp.refusal = undefined
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.deepEqual([smtp.taken.length, (await waiting()).length], [0, 0])
})

test('of many workers at once only one sends the mail', async ({ service, smtp, join, onTestFinished }) => {
  await join()
  const others = await Promise.all([openProcess(service), openProcess(service)])
  onTestFinished(async () => {
    await Promise.all(others.map((other) => other.close()))
  })
  const [wakeup] = await mailsDue.due(service.app, service.clock.now())
  assert.ok(wakeup?.name === 'mail')
  const apps = [service, ...others].map(({ app }) => app)
  await Promise.all(Array.from({ length: 12 }, (_, at) => sendMail(apps[at % 3]!, wakeup.payload, composeGuestMail)))
  assert.equal(smtp.taken.length, 1)
})

test('if a worker dies after the server took the mail, it is sent again with the same Message-ID', async ({
  service,
  smtp,
  join,
  onTestFinished,
}) => {
  await join()
  const dying = await openProcess(service)
  onTestFinished(() => dying.close())
  const [wakeup] = await mailsDue.due(service.app, service.clock.now())
  assert.ok(wakeup?.name === 'mail')
  smtp.onMail = () => dying.app.sql.end({ timeout: 0 })
  await assert.rejects(sendMail(dying.app, wakeup.payload, composeGuestMail))
  smtp.onMail = async () => undefined
  await service.drain()
  assert.equal(smtp.taken.length, 1, 'the claim has not run out')
  await service.clock.advance(60_000)
  await service.drain()
  assert.equal(smtp.taken.length, 2)
  assert.equal(smtp.taken[0]?.mail.messageId, smtp.taken[1]?.mail.messageId)
})

test('a mail whose rows could not be read has had no attempt', async ({ service, organization, smtp, waiting }) => {
  const { sql, clock } = service.app
  await sql`
    insert into mails (org_id, id, kind, about, next_attempt_at, created_at)
    values (${decodeId('org', organization.id)!}, ${newId()}, 'booking_confirmed', '{}', ${clock.now()}, ${clock.now()})`
  let fails = true
  const content = { to: 'guest@example.com', subject: 'Booked', text: 'Booked.\n' }
  const compose: typeof composeGuestMail = async () => {
    // A full disk of Postgres.
    if (fails) await sql`do $$ begin raise exception 'full' using errcode = '53100'; end $$`
    return { kind: 'content', content }
  }
  const send = async () => {
    const [wakeup] = await mailsDue.due(service.app, service.clock.now())
    assert.ok(wakeup?.name === 'mail')
    await sendMail(service.app, wakeup.payload, compose)
  }
  for (let round = 0; round < 12; round++) {
    await send()
    assert.deepEqual(await waiting(), [0])
    await service.clock.advance(10_000)
  }
  fails = false
  await send()
  assert.deepEqual([smtp.taken.map(({ to }) => to), await waiting()], [['guest@example.com'], []])
})

test('a request that changes nothing sends nothing', async ({ service, smtp, join }) => {
  const email = await join()
  await service.drain()
  smtp.taken = []
  const { data } = (await service.call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })).body
  const path = `/v1/admin/orgs/${data[0].id}/activate`
  for (let n = 0; n < 3; n++) await service.call('POST', path, { key: adminToken })
  await service.drain()
  assert.deepEqual(
    smtp.taken.map(({ subject }) => subject),
    ['Your organization is activated'],
  )
})

test('without a server a mail is one readable file, even if it is written twice', async ({ onTestFinished }) => {
  const alone = await openTestService()
  onTestFinished(() => alone.close())
  await alone.call('POST', '/v1/waitlist', { body: { email: 'file@example.com' } })
  const [wakeup] = await mailsDue.due(alone.app, alone.clock.now())
  assert.ok(wakeup?.name === 'mail')
  await alone.app.sql`create table kept as select * from mails`
  await sendMail(alone.app, wakeup.payload, composeGuestMail)
  await alone.app.sql`insert into mails select * from kept`
  await sendMail(alone.app, wakeup.payload, composeGuestMail)
  const names = await readdir(alone.app.config.mailDir)
  assert.equal(names.length, 1)
  assert.match(names[0] ?? '', /^2026-03-02T09-00-00\.000Z_[0-9a-f-]{36}_waitlist\.eml$/)
  const [read] = await mailsTo(alone, 'file@example.com')
  assert.equal(read?.subject, 'You are on the waitlist')
})
