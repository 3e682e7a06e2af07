import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from './rules.ts'

const adminToken = 'the token of the administrator'
const clean = (value: unknown) => withoutSecrets(value, adminToken)

const key = 'YEZTBjd82IJ8WuRdxzj5JmruxP4-_BqP0v1a2b3c4d5'
const session = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJvcmdfMDEifQ.c2lnbmF0dXJl-_c2lnbmF0dXJl'
const address = 'https://calendar.example'

const cases: [text: string, left: string][] = [
  [`My key svc_sk_${key} fails`, 'My key svc_sk_… fails'],
  [`svc_ak_${key}, too.`, 'svc_ak_…, too.'],
  [`svc_sk_live_${key}`, 'svc_sk_…'],
  [`API_KEY_svc_sk_${key} end`, 'API_KEY_svc_sk_… end'],
  [`0svc_sk_${key} and xwhsec_${key}`, '0svc_sk_… and xwhsec_…'],
  [`"svc_sk_${key}"svc_ak_${key}`, '"svc_sk_…"svc_ak_…'],
  ['whsec_B9GG7Np5r881kUh9fpH/kWMW+aB=', 'whsec_…'],
  ['whsec_B9GG7Np5r881kUh9fpH%2FkWMW%2BaB%3D', 'whsec_…'],
  ['"whsec_B9GG7Np5r881kUh9fpH\\/kWMW+aB="', '"whsec_…"'],
  [`svc_session=${session}; Path=/`, 'svc_session=eyJhbGciOi…; Path=/'],
  [`TOKEN_${session}`, 'TOKEN_eyJhbGciOi…'],
  [`I asked as ${adminToken}.`, 'I asked as ….'],
  [`"https:\\/\\/calendar.example\\/ical\\/${key}.ics"`, '"https:\\/\\/calendar.example\\/ical\\/….ics"'],
  [`${address}/ical/${key}.ics is empty`, `${address}/ical/….ics is empty`],
  [`${address}/v1/auth/password/reset?token=${key} is dead`, `${address}/v1/auth/password/reset?token=… is dead`],
  [
    `${address}/book/Ab-_1234567890abcdefgh/bookings/${key}.ics`,
    `${address}/book/Ab-_1234567890abcdefgh/bookings/….ics`,
  ],
]
for (const [text, left] of cases) {
  test(`${left} is left, in a text, in a list, in an object and in a name`, () => {
    assert.equal(clean(text), left)
    assert.deepEqual(clean({ list: [1, { deep: text }], [text]: 'seen' }), {
      list: [1, { deep: left }],
      [left]: 'seen',
    })
  })
}

test('what a name calls a secret is taken out, whatever it is', () => {
  const hidden = ['Authorization', 'Set-Cookie', 'api_key', 'x-api-key', 'apiKey', 'ical_token', 'accessToken', 'otp']
  for (const name of hidden)
    assert.deepEqual(clean({ [name]: 'abc', deep: { [name]: [1] } }), { [name]: '…', deep: { [name]: '…' } })
})

test('everything else stays as it is', () => {
  const context = {
    a: [1, null, true, 'svc_sk_', 'whsec_short', '/ical/feed', `${address}/book/Ab-_1234567890abcdefgh/slots`],
    token_count: 5,
    message: 'the secret of success',
    next: JSON.parse('{"__proto__": {"a": 1}}'),
  }
  assert.deepEqual(clean(context), context)
})
