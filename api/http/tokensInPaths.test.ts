// Tokens in paths: whoever reads the records of requests gets none of them. A new route with a token in its path needs a row here.
import assert from 'node:assert/strict'
import { makeOwner, password } from '../../src/testing/accounts.ts'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf } from '../../src/testing/guests.ts'
import { makeInvitation, makeTeam } from '../../src/testing/invitations.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'
import { recordedPath } from './identity.ts'

const test = serviceTest({ env: guestEnv })

const ofToken = routes
  .filter(({ path }) => /:(\w*token|receipt)\b/.test(path))
  // A later one may end the link.
  .toSorted((a, b) => Number(b.path.endsWith('/signin')) - Number(a.path.endsWith('/signin')))

test('no audit entry and no refused request has a token of a path, whatever is asked with it', async ({
  service,
  call,
}) => {
  const owner = await makeOwner(service)
  const { path, body, guarded, ask, calendar } = await openApprovalDesk(service, owner.key)
  await ask(await guarded({ on: ['event.create'], approver: 'link' }), 'POST', path, body())
  const link = await call('POST', `/v1/calendars/${calendar.id}/connection-links`, { key: owner.key, body: {} })
  const team = await makeTeam(service)
  const invitation = await makeInvitation(service, team, owner.email)
  const { page } = await makePage(service)
  const [start] = await startsOf(service, page.slug)
  await bookSlot(service, page.slug, start!, { email: 'guest@example.com' })
  const mailed = async (email: string, pattern: RegExp) =>
    pattern.exec((await mailsTo(service, email)).map(({ text }) => text).join('\n'))![1]!
  const tokens: Record<string, string> = {
    approve: await mailed(owner.email, /\/approve\/([\w-]{32})/),
    connect: new URL(link.body.setup_url).pathname.split('/').at(-1)!,
    invitations: invitation.token,
    booking: await mailed('guest@example.com', /\/booking\/([\w-]{43})/),
    ical: new URL(calendar.ical_url).pathname.replace(/^.*\/|\.ics$/g, ''),
    book: 'a-receipt-of-a-booking',
  }
  for (const { method, path: pattern } of ofToken) {
    const token = tokens[pattern.split('/')[1]!]
    assert.ok(token, `${pattern} has no row`)
    const filled = pattern.replace(':slug', page.slug).replace(/:(\w*token|receipt)/, token)
    assert.equal(recordedPath({ path: pattern }, { path: filled }), pattern)
    const who = pattern.startsWith('/invitations/') ? {} : { email: owner.email }
    const attempts = ['not the password', password].map((one) => ({ ...who, password: one }))
    for (const key of [undefined, owner.key, owner.token])
      for (const body of pattern.endsWith('/signin') ? attempts : [{ decision: 'unknown' }, {}])
        await call(method.toUpperCase(), filled, {
          ...(key && { key }),
          ...(method !== 'get' && { body }),
          headers: { 'x-forwarded-for': newAddress(), 'sec-fetch-site': 'same-origin' },
          redirect: 'manual',
        })
  }
  await service.gate.flush()
  const rows = await service.app.sql<{ path: string; text: string }[]>`
    select path, a::text as text from audit_entries a union all select path, r::text from refused_requests r`
  for (const [name, token] of Object.entries(tokens))
    assert.deepEqual(
      rows.filter(({ text }) => text.includes(token)),
      [],
      name,
    )
  for (const start of ['/approve/apr_', '/connect/csl_', '/invitations/inv_'])
    assert.ok(
      rows.some(({ path }) => path.startsWith(start)),
      start,
    )
})
