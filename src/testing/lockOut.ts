// An account that somebody prepared with an address that is not theirs, and what must be left of it once the owner of the
// address has proven it.
import assert from 'node:assert/strict'
import { makeAccount } from './accounts.ts'
import { changesOf, idText } from './changes.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent, makeWebhook } from './factories.ts'
import { adminToken } from './harness.ts'
import { identityTest } from './identityProvider.ts'
import { linkTo, mailsTo } from './mailbox.ts'
import { assertRefused } from './refused.ts'
import { perFile } from './test.ts'

const renewed = 'another battery staple'

export const lockOutTest = () =>
  identityTest()
    .extend(
      'newKey',
      perFile,
      ({ call }) =>
        async (token: string): Promise<string> =>
          (await call('POST', '/v1/auth/keys', { key: token })).body.key,
    )
    .extend(
      'feedOf',
      perFile,
      ({ call }) =>
        ({ ical_url }: { ical_url: string }) =>
          call('GET', new URL(ical_url).pathname),
    )
    .extend('mailedReset', perFile, ({ service, call }) => async (email: string) => {
      await call('POST', '/v1/auth/password/forgot', { body: { email } })
      return linkTo(service, email)
    })
    .extend(
      'reset',
      perFile,
      ({ call }) =>
        (token: string) =>
          call('POST', '/v1/auth/password/reset', { body: { token, password: renewed } }),
    )
    /** The session of a sign-in with the new password. */
    .extend('signedIn', perFile, ({ call }) => async (email: string): Promise<string> => {
      const { status, body } = await call('POST', '/v1/auth/signin', { body: { email, password: renewed } })
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.org.email_verified, true)
      return body.token
    })
    .extend(
      'enterThrough',
      perFile,
      ({ enter }) =>
        (email: string) =>
          enter({ sub: email, email, email_verified: true }),
    )
    /** The things that a stranger can make with an address that they never verified. */
    .extend('prepare', perFile, ({ service, call, second, receiver, newKey }) => async () => {
      const account = await makeAccount(service)
      await call('PATCH', `/v1/admin/orgs/${account.orgId}`, { key: adminToken, body: { plan: 'pro' } })
      const key = await newKey(account.token)
      const agent = await makeAgent(service, key)
      const agentKey = await makeAgentKey(service, key, agent.id)
      const calendar = await makeCalendar(service, key, agent.id)
      const event = await makeEvent(service, key, calendar.id)
      const webhook = await makeWebhook(service, key, receiver.url, ['event.created'])
      const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Chat' } })
      assert.equal(page.status, 201)
      // Known to both processes, so that both have to be told.
      for (const secret of [key, agentKey]) {
        for (const process of [service, second]) {
          assert.equal((await process.call('GET', '/v1/calendars', { key: secret })).status, 200)
        }
      }
      await service.drain()
      receiver.received.length = 0
      return { ...account, key, agentKey, agent, calendar, event, webhook, page: page.body }
    })
    /** Nothing of the stranger's works, everything of the owner's does. */
    .extend(
      'assertLockedOut',
      perFile,
      ({ service, call, second, receiver, newKey, feedOf, prepare }) =>
        async (before: Awaited<ReturnType<typeof prepare>>, token: string) => {
          const { key, agentKey, agent, calendar, event, webhook, page, email, orgId } = before
          for (const process of [service, second]) {
            for (const secret of [key, agentKey]) {
              assertRefused(await process.call('GET', '/v1/calendars', { key: secret }), 401, 'authentication_error')
            }
            assertRefused(await process.call('GET', '/v1/auth/me', { key: before.token }), 401, 'authentication_error')
          }
          assertRefused(await call('GET', `/book/${page.slug}/slots`), 404, 'not_found')
          assertRefused(await feedOf(calendar), 404, 'not_found')

          const own = await newKey(token)
          const read = async (path: string) => (await call('GET', path, { key: own })).body
          assert.deepEqual([(await read(`/v1/agents/${agent.id}`)).id, (await read('/v1/keys')).keys], [agent.id, []])
          const shown = await read(`/v1/calendars/${calendar.id}`)
          assert.notEqual(shown.ical_url, calendar.ical_url)
          const feed = await feedOf(shown)
          assert.equal(feed.status, 200)
          assert.match(feed.body, new RegExp(event.id), 'the events stay')
          assert.deepEqual(
            { ...(await read(`/v1/webhooks/${webhook.id}`)), secret: webhook.secret },
            { ...webhook, active: false },
          )
          const off = await read(`/v1/booking-pages/${page.id}`)
          assert.equal(off.active, false)
          const told = (await changesOf(service, orgId)).slice(-2)
          await makeEvent(service, own, calendar.id, { start_time: ahead(service, 300), end_time: ahead(service, 330) })
          await service.drain()
          assert.equal(receiver.received.length, 0)

          const mail = (await mailsTo(service, email)).at(-1)
          assert.equal(mail?.subject, 'Parts of your organization were switched off')
          for (const line of [
            '- 1 key of the organization, revoked',
            '- 1 key of an agent, revoked',
            '- 1 webhook, switched off',
            '- 1 booking page, switched off',
            '- 1 address of a feed, replaced',
          ]) {
            assert.ok(mail.text.split('\n').includes(line), mail.text)
          }
          assert.ok(mail.text.split('\n').every((line) => line.length < 79))

          const log = (await read('/v1/audit-log?limit=100')).data as {
            action: string
            resource: string
            path: string
          }[]
          const proof = log.filter(({ path }) => path.includes('/reset') || path.includes('/callback'))
          const logged = (action: string) =>
            proof.filter((entry) => entry.action === action).map(({ resource }) => resource)
          assert.deepEqual([logged('account.address_proven'), logged('account.locked_out')], [[orgId], [orgId]])
          assert.equal(logged('key.delete').length, 2)
          assert.deepEqual(logged('webhook.update'), [webhook.id])
          assert.deepEqual(logged('calendar.update'), [calendar.id, calendar.id], 'its page and its feed')

          assert.deepEqual(
            told.map(({ type, payload, revision, agentId }) => [type, payload, revision, idText('agt', agentId)]),
            [
              ['booking_page.updated', { booking_page: off }, null, agent.id],
              ['calendar.updated', { calendar: shown }, 2, agent.id],
            ],
          )
          assert.equal(told[0]!.changeId, told[1]!.changeId)

          for (const [path, id] of [
            ['webhooks', webhook.id],
            ['booking-pages', page.id],
          ]) {
            const on = await call('PATCH', `/v1/${path}/${id}`, { key: own, body: { active: true } })
            assert.deepEqual([on.status, on.body.active], [200, true])
          }
          assert.equal((await call('GET', `/book/${page.slug}/slots`)).status, 200)
        },
    )
