import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from './rules.ts'

test('keys and webhook secrets are taken out wherever they stand', () => {
  assert.deepEqual(
    withoutSecrets({
      message: 'My key svc_sk_BBjd82IJ8WuRdxzj5JmruxP4 fails, and svc_ak_123456789 too.',
      context: { list: ['whsec_B9GG7Np5r881kUh9fpH/kWMW='], Authorization: 'Bearer abc', api_key: 1, endpoint: '/v1' },
    }),
    {
      message: 'My key svc_sk_… fails, and svc_ak_… too.',
      context: { list: ['whsec_…'], Authorization: '…', api_key: '…', endpoint: '/v1' },
    },
  )
})

test('everything else stays as it is', () => {
  const context = { a: [1, null, true, 'svc_sk_'], token_count: 5, message: 'the secret of success' }
  assert.deepEqual(withoutSecrets(context), context)
})
