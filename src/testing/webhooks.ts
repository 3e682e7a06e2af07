// Fixtures of webhook tests: the requests, and an address that is never called.
import { perFile, serviceTest } from './test.ts'

export const hook = 'https://receiver.example.com/hook'

export const unknownWebhook = 'whk_01k9xr8m3fe8tbc4x9m2v7h5qd'

export const webhooksTest = () =>
  serviceTest().extend('desk', perFile, ({ call }) => ({
    create: (key: string, body: unknown) => call('POST', '/v1/webhooks', { key, body }),
    patch: (key: string, id: string, body: unknown) => call('PATCH', `/v1/webhooks/${id}`, { key, body }),
    history: (key: string, id: string, query = '') => call('GET', `/v1/webhooks/${id}/deliveries${query}`, { key }),
  }))
