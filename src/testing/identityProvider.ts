// People who sign in through a provider of identities. It asks nothing, and says of each person what the test sets.
import assert from 'node:assert/strict'
import { OAuth2Server } from 'oauth2-mock-server'
import { currentVersion } from './accounts.ts'
import type { Answer } from './answer.ts'
import { openTestService } from './harness.ts'
import { perFile, serviceTest } from './test.ts'

type Claims = Record<string, unknown>

async function openIdentityProvider() {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const provider = {
    issuer: server.issuer.url!,
    /** The provider's answer about the next person. */
    claims: {} as Claims,
    close: () => server.stop(),
  }
  server.service.on('beforeTokenSigning', (token: { payload: object }) => Object.assign(token.payload, provider.claims))
  return provider
}

/** `serviceTest` with one provider under two names, `acme` and `other`, and the way through it. */
export const identityTest = () =>
  serviceTest()
    .extend('provider', perFile, async ({ options: _ }, { onCleanup }) => {
      const provider = await openIdentityProvider()
      onCleanup(provider.close)
      return provider
    })
    .override('service', perFile, async ({ provider }, { onCleanup }) => {
      const acme = { issuer: provider.issuer, client_id: 'calendar', client_secret: 'secret-of-the-tests' }
      const service = await openTestService({ env: { OIDC_PROVIDERS: JSON.stringify({ acme, other: acme }) } })
      onCleanup(service.close)
      return service
    })
    .extend('tos_version', perFile, ({ service }) => currentVersion(service))
    .extend('start', perFile, ({ call }) => async (query = '') => {
      const { status, headers } = await call('GET', `/v1/auth/oauth/acme${query}`, { redirect: 'manual' })
      return { status, location: headers.get('location') ?? '', cookie: headers.get('set-cookie') ?? '' }
    })
    /** Goes to the provider, and returns the request that leads back from there. */
    .extend('begin', perFile, ({ service, start, tos_version }) => async (query = `?tos_version=${tos_version}`) => {
      const { status, location, cookie } = await start(query)
      assert.equal(status, 302)
      const response = await fetch(location, { redirect: 'manual' })
      const back = new URL(response.headers.get('location') ?? '')
      assert.equal(back.origin, service.baseUrl)
      return { path: back.pathname + back.search, headers: { cookie: cookie.split(';')[0]! } }
    })
    .extend(
      'enter',
      perFile,
      ({ provider, call, begin }) =>
        async (person: Claims, query?: string): Promise<Answer> => {
          provider.claims = person
          const { path, headers } = await begin(query)
          return call('GET', path, { headers })
        },
    )
