// `test` with what a file of tests shares, opened by the first test that names it and closed after the last one:
// `const test = serviceTest({ plan: 'custom' })`, then `test('…', async ({ service, key }) => …)`.
import { test } from 'vitest'
import { makeOrganization, makeWebhook, type OrganizationOptions } from './factories.ts'
import { openTestService, type TestOptions } from './harness.ts'
import { openProcess } from './process.ts'
import { openReceiver } from './receiver.ts'

type ServiceOptions = TestOptions &
  OrganizationOptions & {
    /** The types of events that `receiver` subscribes to, for `organization`; without them it subscribes to none. */
    receives?: readonly string[]
  }

/** For a fixture of the file itself: `serviceTest().extend('list', perFile, ({ call, key }) => () => call(…))`. */
export const perFile = { scope: 'file' } as const

export function serviceTest({ receives, ...options }: ServiceOptions = {}) {
  const silent = test
    .extend('options', perFile, options)
    .extend('service', perFile, async ({ options }, { onCleanup }) => {
      const service = await openTestService(options)
      onCleanup(service.close)
      return service
    })
    .extend('call', perFile, ({ service }) => service.call)
    .extend('organization', perFile, ({ service, options }) => makeOrganization(service, options))
    .extend('key', perFile, ({ organization }) => organization.key)
    .extend('second', perFile, async ({ service }, { onCleanup }) => {
      const second = await openProcess(service)
      onCleanup(second.close)
      return second
    })
    // Without a subscription it needs nothing, but a fixture must name what it takes.
    .extend('receiver', perFile, async ({ options: _ }, { onCleanup }) => {
      const receiver = await openReceiver()
      onCleanup(receiver.close)
      return receiver
    })
  if (!receives) return silent
  return silent.override('receiver', perFile, async ({ service, key }, { onCleanup }) => {
    const receiver = await openReceiver()
    onCleanup(receiver.close)
    await makeWebhook(service, key, receiver.url, receives)
    return receiver
  })
}
