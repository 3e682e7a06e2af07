// The parameters that change how a mutation is done: a misspelt one is never passed over.
import assert from 'node:assert/strict'
import { makeAccount } from '../../src/testing/accounts.ts'
import { makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { freshAddress } from '../../src/testing/sandboxes.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'
import { isMutation } from './route.ts'

/** A session of its own for each route: some end it, or what it was granted. */
const test = serviceTest({ env: { TRUSTED_PROXIES: 'loopback' } }).extend(
  'signIn',
  perFile,
  ({ service, call }) =>
    async () => {
      const { orgId, token } = await makeAccount(service)
      await call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { plan: 'pro' } })
      return token
    },
)

const misspelt = ['dryRun', 'dryrun', 'dry-run', 'DRY_RUN', 'Explain', 'ex_plain', 'requireFree', 'require-free']

const wrong = ['=TRUE', '=', '=1', '=true&=true', '[]=true']

/** Two of them for each route, so that each comes again and again: one function reads them for all routes. */
const twoOf = (texts: readonly string[], nth: number): string[] =>
  [0, 1].map((more) => texts[(2 * nth + more) % texts.length]!)

const mutations = routes.filter(isMutation)

for (const [nth, { method, path, access }] of mutations.entries()) {
  test(`${method} ${path} refuses a misspelt switch and takes explain and dry_run`, async ({ call, key, signIn }) => {
    const by = access === 'session' ? await signIn() : access === 'admin' ? adminToken : key
    const ask = (query: string) =>
      call(method.toUpperCase(), `${path.replace(/:\w+/g, 'none')}?${query}`, {
        key: by,
        // Of a client of its own: some routes have a limit for an address.
        headers: freshAddress(),
        ...(method !== 'delete' && { body: { nothing_like_this: 1 } }),
      })
    for (const name of twoOf(misspelt, nth)) {
      assertRefused(await ask(`${name}=true`), 400, 'validation_error', { param: name })
    }
    for (const name of ['explain', 'dry_run']) {
      for (const text of twoOf(wrong, nth)) {
        const query = `${name}${text.replace('&', `&${name}`)}`
        const { status, body } = await ask(query)
        assert.deepEqual([status, body.error.type], [400, 'validation_error'], query)
        assert.match(body.error.param, new RegExp(`^${name}`), query)
      }
    }
    for (const query of ['dry_run=true', 'dry_run=true&explain=true', 'dry_run=false', 'explain=true', 'explain=false'])
      assert.ok(!['dry_run', 'explain'].includes((await ask(query)).body?.error?.param), query)
  })
}

test('a refused switch changes nothing', async ({ service, key, call }) => {
  const calendar = await makeCalendar(service, key)
  const event = await makeEvent(service, key, calendar.id)
  const path = `/v1/events/${event.id}`
  assertRefused(await call('DELETE', `${path}?dryRun=true`, { key }), 400, 'validation_error', { param: 'dryRun' })
  assertRefused(
    await call('PATCH', `${path}?require_free=true`, { key, body: { title: 'X' } }),
    400,
    'validation_error',
    {
      param: 'require_free',
    },
  )
  assert.deepEqual((await call('GET', path, { key })).body, event)
  assert.equal((await call('DELETE', `${path}?explain=true`, { key })).status, 204)
})
