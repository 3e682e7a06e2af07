// The document passes the linters that its readers use, without a warning. The exceptions are argued here.
import assert from 'node:assert/strict'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { test } from 'vitest'
import { routes } from '../routes.ts'
import { openapiDocument } from './document.ts'

const source = JSON.stringify(openapiDocument(routes, 'https://calendar.acme.dev'))

/** Their only success is a redirect: to a provider, or from a form to the next page. */
const redirecting = [
  '#/paths/~1v1~1auth~1oauth~1{provider}/get/responses',
  '#/paths/~1v1~1calendar-connections~1oauth~1{provider}~1callback/get/responses',
  ...['signin', 'signout', 'connections~1{id}~1{action}'].map((form) => `#/paths/~1connect~1${form}/post/responses`),
  '#/paths/~1approve~1{token}~1signin/post/responses',
  ...['signin', 'signout'].map((form) => `#/paths/~1invitations~1{token}~1${form}/post/responses`),
  ...['signin', 'signout', 'begin'].map((form) => `#/paths/~1connect~1{token}~1${form}/post/responses`),
]

/** A token has 43 characters, so none is `links`; the address of a setup page is short because humans see it. */
const isOfSetup = (at: string) => at.startsWith('#/paths/~1connect~1{token}')

test("the document passes Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const told = problems
    .map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer ?? '' }))
    .filter(({ ruleId, at }) => ruleId !== 'operation-2xx-response' || !redirecting.includes(at))
    .filter(({ ruleId, at }) => ruleId !== 'no-ambiguous-paths' || !isOfSetup(at))
  assert.deepEqual(told, [])
})

test("the document passes Spectral's rules for OpenAPI", async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({
    // Its own types do not know it as a ruleset.
    extends: [[spectralRulesets.oas as never, 'recommended']],
    rules: {
      // examples.test.ts holds every example against its schema, and more strictly; here that takes five seconds.
      'oas3-valid-media-example': 'off',
      'oas3-valid-schema-example': 'off',
    },
  })
  const problems = await spectral.run(source)
  assert.deepEqual(
    problems.map(({ code, message, path }) => ({ code, message, at: path.join('/') })),
    [],
  )
})
