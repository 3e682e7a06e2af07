// Clients choose how they write a path and which method they send, not how many series there are.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { TestService } from '../src/testing/harness.ts'
import { serviceTest } from '../src/testing/test.ts'
import { routes } from './routes.ts'

const test = serviceTest()

const beside = [
  ...['/', '/healthz', '/readyz', '/openapi.json', '/docs', '/docs/*'],
  ...['/pages/booking.css', '/pages/booking.js', '/pages/booking.svg', '/admin/queues'],
]
const paths = [...new Set(routes.map(({ path }) => path)), ...beside]
// All that Node's parser knows and that leaves the connection to the next request.
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH', 'PURGE']
const maxSeries = paths.length * 20

/** The same ones with every run: `seed` counts them. */
const openChance = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

function oddRequest(chance: (below: number) => number, nth: number): string {
  const pick = <T>(from: readonly T[]) => from[chance(from.length)]!
  const cased = (text: string) =>
    [...text].map((letter) => (chance(2) ? letter.toUpperCase() : letter.toLowerCase())).join('')
  const filled = pick(paths).replace(/:\w+/g, () => pick(['x', `n${nth}`, '%F0%9F%8E%82', '%00', '..%2F', '%zz']))
  const tail = pick(['', '', '/', '//', `/n${nth}`, `?n${nth}=1`, `.n${nth}`])
  const authorization = pick([
    '',
    'Authorization: Bearer nobody\r\n',
    `Authorization: Bearer svc_sk_unknown${chance(50)}\r\n`,
  ])
  const body = pick(['', '', '{}', '{x'])
  const method = pick(methods)
  const length = `Content-Length: ${body.length}\r\n`
  return `${method} ${cased(filled)}${tail} HTTP/1.1\r\nHost: a\r\n${authorization}${length}\r\n${body}`
}

/** Sent over one connection, many at a time; resolves when each has its answer. */
async function send({ baseUrl }: TestService, requests: readonly string[]): Promise<void> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  socket.setEncoding('latin1')
  for (let from = 0; from < requests.length; from += 100) {
    const batch = requests.slice(from, from + 100)
    socket.write(batch.join(''))
    let answers = 0
    let rest = ''
    while (answers < batch.length) {
      const text: string = await new Promise((resolve, reject) => {
        socket.once('data', resolve).once('close', () => reject(new Error('the connection was closed')))
      })
      socket.removeAllListeners('close')
      const seen = (rest + text).split('X-Request-Id: ')
      answers += seen.length - 1
      rest = seen.at(-1)!.slice(-14)
    }
  }
  socket.destroy()
}

async function flood(service: TestService, seed: number, count: number): Promise<void> {
  const chance = openChance(seed)
  const all = Array.from({ length: count }, (_, nth) => oddRequest(chance, seed + nth))
  const share = Math.ceil(count / 8)
  await Promise.all(Array.from({ length: 8 }, (_, nth) => send(service, all.slice(nth * share, (nth + 1) * share))))
}

async function series({
  app,
}: TestService): Promise<{ count: number; labels: { method: string; route: string; status: number }[] }> {
  const { values } = await app.metrics.httpRequestDuration.get()
  const labels = values.filter(({ metricName }) => metricName?.endsWith('_count')).map((value) => value.labels)
  const text = await app.metrics.registry.metrics()
  return { count: text.split('\n').filter((line) => !line.startsWith('#')).length, labels: labels as never }
}

test('10,000 odd requests make a bounded number of series, named after the routes', async ({ service }) => {
  const before = await series(service)
  await flood(service, 1, 5_000)
  const half = await series(service)
  await flood(service, 1_000_003, 5_000)
  // Paths of operators have one spelling, which no odd request meets.
  for (const path of paths.filter((path) => /^\/(v1\/)?admin\//.test(path))) await service.call('GET', path, {})
  const whole = await series(service)

  assert.deepEqual(
    whole.labels.filter(({ route, method }) => {
      const known = route === 'unknown' || paths.includes(route)
      return !known || !['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', '_OTHER'].includes(method)
    }),
    [],
  )
  const routesSeen = new Set(whole.labels.map(({ route }) => route))
  assert.deepEqual(
    [...paths, 'unknown'].filter((path) => !routesSeen.has(path)),
    [],
  )
  assert.ok(whole.labels.length <= maxSeries, `${whole.labels.length} of ${maxSeries}`)
  // A histogram is 16 lines: its buckets, its sum and its count. The second half finds hardly anything new.
  assert.ok(whole.count - before.count <= maxSeries * 16)
  const [first, second] = [half.count - before.count, whole.count - half.count]
  assert.ok(second < first / 4, `${first} lines, then ${second} more`)
})

test('a label is the path as the documentation has it', async ({ service, call }) => {
  for (const path of ['/v1/agents', '/V1/agents/', '/v1/AGENTS?limit=1']) await call('GET', path)
  await call('DELETE', '/v1/agents')
  const { labels } = await series(service)
  const agents = labels.filter(({ route }) => /^\/v1\/agents\/?$/i.test(route))
  assert.deepEqual([...new Set(agents.map(({ route }) => route))], ['/v1/agents'])
  assert.ok(agents.some(({ method, status }) => method === 'DELETE' && status === 405))
})
