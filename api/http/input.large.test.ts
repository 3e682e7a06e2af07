import assert from 'node:assert/strict'
import { makeAccount } from '../../src/testing/accounts.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { largeBodies } from '../../src/testing/largeBodies.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'

const test = serviceTest({ plan: 'custom', env: { TRUSTED_PROXIES: 'loopback' } })

/** Fifty times what most of them take, so that a busy machine passes. One of 256 KB could take 42 s. */
const maxCpuMs = 1_000

/** The least of three, because other work of the process counts as well. */
async function cpuMsOf(work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least > maxCpuMs; tries++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** Another client for each request: the limits of one address are not what is tried here. */
const clients = (function* () {
  for (let nth = 0; ; nth++) yield `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`
})()

const takesBody = ({ method, ignoresBody }: (typeof routes)[number]) =>
  !ignoresBody && method !== 'get' && method !== 'delete'

test('every route refuses a body of 256 KB of any shape at once', async ({ service, key }) => {
  const { token } = await makeAccount(service)
  const keys = { public: undefined, key, organization: key, session: token, admin: adminToken }
  const slow: string[] = []
  const tried = new Map<unknown, Set<string>>()
  const note = (worker: unknown, shape: string) => tried.set(worker, (tried.get(worker) ?? new Set()).add(shape))
  for (const route of routes.filter(takesBody)) {
    const path = route.path.replace(/:\w+/g, 'x')
    // Every push is answered, and some routes look for the record of the path before they look at the body.
    const statuses = route.takesAnyBody ? [202] : [route.invalidBody?.status ?? 400, 403, 404]
    let isLookedAt = true
    for (const { shape, contentType, text, reader } of largeBodies(route)) {
      // A route that does not look at wrong bodies leaves the work to the parser, whatever the field.
      const parsed = shape.replace(/^\w+: /, '')
      if (tried.get(isLookedAt ? reader : contentType)?.has(isLookedAt ? shape : parsed)) continue
      const name = `${route.method} ${route.path}, ${shape}`
      const ms = await cpuMsOf(async () => {
        const headers = { 'content-type': contentType, 'x-forwarded-for': clients.next().value! }
        const { status } = await service.call(route.method.toUpperCase(), path, {
          key: keys[route.access],
          raw: text,
          headers,
        })
        assert.ok(statuses.includes(status), `${name}: ${status}`)
        isLookedAt = ![403, 404].includes(status)
        note(isLookedAt ? reader : contentType, isLookedAt ? shape : parsed)
      })
      if (ms > maxCpuMs) slow.push(`${name}: ${Math.round(ms)} ms`)
    }
  }
  assert.deepEqual(slow, [])
}, 600_000)
