// The page on which a person decides, as a browser without a script uses it.
import assert from 'node:assert/strict'
import { makeAccount, makeOwner, password } from '../../src/testing/accounts.ts'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { makeEvent } from '../../src/testing/factories.ts'
import { newAddress } from '../../src/testing/guests.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { callMcp } from '../../src/testing/mcp/mcp.ts'
import { addGuest } from '../../src/testing/people.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  .extend('owner', ({ service }) => makeOwner(service))
  .extend('desk', ({ service, owner }) => openApprovalDesk(service, owner.key))
  .extend('browser', ({ service }) => {
    const jar = { cookie: '' }
    const visit = async (path: string, fields?: Record<string, string>, site = 'same-origin') => {
      const answer = await fetch(service.baseUrl + path, {
        method: fields ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          'x-forwarded-for': newAddress(),
          ...(jar.cookie && { cookie: jar.cookie }),
          ...(fields && { origin: 'null', 'sec-fetch-site': site }),
        },
        ...(fields && { body: new URLSearchParams(fields) }),
      })
      const set = answer.headers.get('set-cookie')
      if (set) jar.cookie = set.split(';')[0]!
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }
    /** The fields that the form of the page sends. */
    const fieldsIn = (text: string) =>
      Object.fromEntries(
        [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      )
    return { visit, fieldsIn, jar }
  })

/** The address that was mailed to the owner. */
async function mailedPath(service: Parameters<typeof mailsTo>[0], email: string): Promise<string> {
  const mail = (await mailsTo(service, email)).at(-1)!
  const [address] = /http\S+\/approve\/\S+/.exec(mail.text) ?? ['']
  return new URL(address).pathname
}

test('with the approver `link` the address is mailed, decides once, and is shown to nobody else', async ({
  service,
  call,
  owner,
  desk,
  browser,
}) => {
  const { path, body, guarded, ask, read, titles } = desk
  const agentKey = await guarded({ on: ['event.create'], approver: 'link' })
  const other = await addGuest(service, owner.id, 'owner')
  const approval = await ask(agentKey, 'POST', path, body('<b>Planning</b> & more'))
  assert.equal(approval.url, undefined)
  const to = await mailedPath(service, owner.email)
  assert.match(to, /^\/approve\/[\w-]{32}$/)
  assert.equal(await mailedPath(service, other.email), to, 'every owner gets it')

  for (const look of [1, 2]) {
    const page = await browser.visit(to)
    assert.equal(page.status, 200, `${look}`)
    assert.match(page.text, /Planner/)
    assert.match(page.text, /&lt;b&gt;Planning&lt;\/b&gt; &amp; more/)
    assert.doesNotMatch(page.text, /<b>Planning|<script/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  }
  await fetch(service.baseUrl + to, { method: 'HEAD' })
  assert.equal((await read(approval.id)).status, 'pending')

  const seen = async (as: string, at: string) => JSON.stringify((await call('GET', at, { key: as })).body)
  const secret = to.split('/').at(-1)!
  for (const at of ['/v1/changes?cursor=oldest', '/v1/approvals', `/v1/approvals/${approval.id}`])
    assert.ok(!(await seen(agentKey, at)).includes(secret), at)
  for (const at of ['/v1/approvals', `/v1/approvals/${approval.id}`, '/v1/audit-log', '/v1/keys'])
    assert.ok(!(await seen(owner.key, at)).includes(secret), at)
  assert.ok((await seen(owner.key, '/v1/changes?cursor=oldest')).includes(`/approve/${secret}`))

  const fields = { ...browser.fieldsIn((await browser.visit(to)).text), decision: 'approve', reason: 'Go' }
  assert.equal((await browser.visit(to, fields, 'cross-site')).status, 403)
  assert.deepEqual(await titles(), [])
  const decided = await browser.visit(to, fields)
  assert.equal(decided.status, 200)
  assert.match(decided.text, /<h1>Approved<\/h1>/)
  assert.deepEqual(await titles(), ['<b>Planning</b> & more'])
  const shown = await read(approval.id, agentKey)
  assert.deepEqual([shown.status, shown.reason], ['approved', 'Go'])
  for (const again of [await browser.visit(to, { ...fields, decision: 'reject' }), await browser.visit(to)]) {
    assert.equal(again.status, 409)
    assert.match(again.text, /decided already/)
  }
  assert.equal((await browser.visit(`/approve/${'x'.repeat(32)}`)).status, 404)
  const { body: log } = await call('GET', '/v1/audit-log?action=approval.decide', { key: owner.key })
  assert.equal(log.data.length, 1)
  assert.ok(!JSON.stringify(log).includes(secret))
})

test('with the approver `session` the page opens after signing in, to people of the organization alone', async ({
  service,
  owner,
  desk,
  browser,
}) => {
  const { calendar, guarded, ask, read } = desk
  const event = await makeEvent(service, owner.key, calendar.id, { title: 'Planning' })
  const { id, url } = await ask(await guarded(), 'PATCH', `/v1/events/${event.id}`, { title: 'Retro' })
  const to = new URL(url).pathname
  const before = await browser.visit(to)
  assert.equal(before.status, 401)
  assert.match(before.text, /Sign in to decide/)
  assert.doesNotMatch(before.text, /Planning|Retro|Planner/)
  const wrong = await browser.visit(`${to}/signin`, { email: owner.email, password: 'wrong' })
  assert.deepEqual([wrong.status, /role="alert"/.test(wrong.text)], [401, true])

  const stranger = await makeAccount(service)
  await browser.visit(`${to}/signin`, { email: stranger.email, password })
  assert.equal((await browser.visit(to)).status, 403)
  assert.equal((await browser.visit(to, { decision: 'approve' })).status, 403)

  const signedIn = await browser.visit(`${to}/signin`, { email: owner.email, password })
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, `${service.baseUrl}${to}`])
  const page = await browser.visit(to)
  assert.match(page.text, /Change “Planning” on “Work”/)
  assert.match(page.text, /Title<\/th><td><bdi>Planning<\/bdi><\/td><td><bdi>Retro<\/bdi>/)
  const { form_token: _, ...without } = { ...browser.fieldsIn(page.text), decision: 'approve' }
  assert.equal((await browser.visit(to, without)).status, 403)
  assert.equal((await read(id)).status, 'pending')
  const done = await browser.visit(to, { ...browser.fieldsIn(page.text), decision: 'reject', reason: 'No' })
  assert.match(done.text, /<h1>Rejected<\/h1>/)
  const { body: log } = await service.call('GET', '/v1/audit-log?action=approval.decide', { key: owner.key })
  assert.equal(log.data[0].actor_account, owner.email)
})

test('the page shows the subject as it is now, and decides about nothing else', async ({
  service,
  call,
  owner,
  desk,
  browser,
}) => {
  const { calendar, guarded, ask, read } = desk
  const agentKey = await guarded({ on: 'all', approver: 'link' })
  const event = await makeEvent(service, owner.key, calendar.id, { title: 'Lunch' })
  const { id } = await ask(agentKey, 'DELETE', `/v1/events/${event.id}`)
  const to = await mailedPath(service, owner.email)
  const opened = await browser.visit(to)
  assert.match(opened.text, /Delete “Lunch”/)
  assert.doesNotMatch(opened.text, /as it is now/)
  await call('PATCH', `/v1/events/${event.id}`, { key: owner.key, body: { title: 'Board meeting' } })
  const approve = (text: string) => browser.visit(to, { ...browser.fieldsIn(text), decision: 'approve' })
  const refused = await approve(opened.text)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Delete “Board meeting”/)
  assert.match(refused.text, /as it is now/)
  assert.equal((await read(id)).status, 'pending')
  assert.match((await approve(refused.text)).text, /<h1>Approved<\/h1>/)

  const other = await makeEvent(service, owner.key, calendar.id, { title: 'Gone' })
  await ask(agentKey, 'PATCH', `/v1/events/${other.id}`, { title: 'Kept' })
  const path = await mailedPath(service, owner.email)
  await call('DELETE', `/v1/events/${other.id}`, { key: owner.key })
  const late = await browser.visit(path)
  assert.match(late.text, /no longer exists/)
  const failed = await browser.visit(path, { ...browser.fieldsIn(late.text), decision: 'approve' })
  assert.match(failed.text, /<h1>It could not be done<\/h1>/)
})

test('an expired page is 410, and decides nothing', async ({ service, owner, desk, browser }) => {
  const { path, body, guarded, ask, read, titles } = desk
  const { id } = await ask(await guarded({ on: 'all', approver: 'link', expires_in_minutes: 5 }), 'POST', path, body())
  const to = await mailedPath(service, owner.email)
  const fields = { ...browser.fieldsIn((await browser.visit(to)).text), decision: 'approve' }
  await service.clock.advance(5 * 60_000)
  for (const late of [await browser.visit(to), await browser.visit(to, fields)]) {
    assert.equal(late.status, 410)
    assert.match(late.text, /<h1>Too late<\/h1>/)
  }
  await service.drain()
  assert.equal((await browser.visit(to)).status, 410)
  assert.equal((await read(id)).status, 'expired')
  assert.deepEqual(await titles(), [])
})

test('no agent key opens or decides a page, widens its guardrails, or reads the approvals of another agent', async ({
  service,
  call,
  owner,
  desk,
}) => {
  const { path, body, guarded, ask, read } = desk
  const [agentKey, other] = [await guarded(), await openApprovalDesk(service, owner.key)]
  const { id, url } = await ask(agentKey, 'POST', path, body())
  const to = new URL(url).pathname
  assert.equal((await call('GET', to, { key: agentKey })).status, 401)
  assert.equal((await call('POST', to, { key: agentKey, body: { decision: 'approve' } })).status, 401)
  const theirs = await other.guarded()
  assert.equal((await call('GET', `/v1/approvals/${id}`, { key: theirs })).status, 403)
  assert.equal((await call('GET', '/v1/approvals', { key: theirs })).body.total, 0)
  assert.equal((await call('GET', '/v1/approvals', { key: await guarded() })).body.total, 1)
  const { body: list } = await call('GET', '/v1/keys', { key: owner.key })
  for (const one of list.keys)
    assert.equal((await call('PATCH', `/v1/keys/${one.id}`, { key: agentKey, body: { guardrails: null } })).status, 403)
  const stranger = await makeOwner(service)
  assert.equal((await call('POST', `/v1/approvals/${id}/approve`, { key: stranger.key, body: {} })).status, 404)
  assert.equal((await read(id)).status, 'pending')
})

test('a key with listed calendars reads its own approvals, and of others those about its calendars', async ({
  service,
  call,
  owner,
  desk,
}) => {
  const { agent, calendar, path, body, guarded, ask } = desk
  const { body: hidden } = await call('POST', `/v1/agents/${agent.id}/calendars`, {
    key: owner.key,
    body: { name: 'Hidden', timezone: 'UTC' },
  })
  const free = await guarded()
  const narrow = await guarded({ on: 'all' }, { calendar_ids: [calendar.id] })
  const shown = await ask(free, 'POST', path, body('Shown'))
  const secret = await ask(free, 'POST', `/v1/calendars/${hidden.id}/events`, body('Secret'))
  const whole = await ask(free, 'PATCH', `/v1/agents/${agent.id}`, { name: 'Secretly' })
  const own = await ask(narrow, 'POST', path, body('Own', 90))
  const { body: list } = await call('GET', '/v1/approvals', { key: narrow })
  assert.deepEqual(
    list.data.map(({ id }: { id: string }) => id),
    [own.id, shown.id],
  )
  assert.equal(list.total, 2)
  for (const { id } of [secret, whole])
    assert.equal((await call('GET', `/v1/approvals/${id}`, { key: narrow })).status, 403)
  const { body: feed } = await call('GET', '/v1/changes?cursor=oldest&types=approval.requested', { key: narrow })
  assert.deepEqual(
    feed.data.map(({ payload }: { payload: { approval: { id: string } } }) => payload.approval.id),
    [shown.id, own.id],
  )
  assert.ok(service)
})

test('tools wait as well: they tell the model, and approving does what was read then', async ({
  service,
  call,
  owner,
  desk,
}) => {
  const { calendar, guarded, read, decide, titles } = desk
  const agentKey = await guarded({ on: 'all', approver: 'link' })
  const tool = (name: string, args: object) =>
    callMcp(service, name, args as Record<string, unknown>, { key: agentKey })
  const result = await tool('create_event', { title: 'Tool', start_time: '2026-03-04T09:00', idempotency_key: 'k' })
  const { approval, next_step } = result.structuredContent
  assert.deepEqual([approval.status, approval.url, result.isError ?? false], ['pending', undefined, false])
  assert.match(next_step, /person must approve/)
  assert.match(approval.summary, /^Create “Tool” on “Work”: .*09:00–09:30 \(Europe\/Berlin/)
  assert.deepEqual(
    (await read(approval.id)).changes.map(({ field }: { field: string }) => field),
    ['title', 'start_time', 'end_time'],
  )
  const again = await tool('create_event', { title: 'Tool', start_time: '2026-03-04T09:00', idempotency_key: 'k' })
  assert.deepEqual(again.structuredContent.approval, approval)
  assert.equal(again.structuredContent.replayed, true)
  assert.deepEqual(await titles(), [])
  // With a second calendar and another zone the same arguments would mean something else.
  await call('POST', `/v1/agents/${desk.agent.id}/calendars`, { key: owner.key, body: { name: 'B', timezone: 'UTC' } })
  await call('PATCH', `/v1/calendars/${calendar.id}`, { key: owner.key, body: { timezone: 'Asia/Tokyo' } })
  const done = await decide(approval.id, 'approve')
  assert.deepEqual([done.body.status, done.body.result.body.startTime], ['approved', '2026-03-04T08:00:00.000Z'])
  const { id } = done.body.result.body
  for (const [name, args, pattern] of [
    ['update_event', { event_id: id, duration_minutes: 60 }, /^Change “Tool” on “Work”/],
    ['cancel_event', { event_id: id }, /^Delete “Tool” on “Work”/],
  ] as const) {
    const waiting = (await tool(name, args)).structuredContent.approval
    assert.match(waiting.summary, pattern)
    assert.equal((await decide(waiting.id, 'approve')).body.status, 'approved')
  }
  assert.deepEqual(await titles(), [])
  const refused = await tool('create_event', { title: 'No', start_time: 'soon', calendar_id: calendar.id })
  assert.equal(refused.isError, true)
})
