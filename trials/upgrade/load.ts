// Callers during an upgrade: each request goes to any API process that accepts requests, of either version. The events that each change must
// send are noted.
import { setTimeout as pause } from 'node:timers/promises'
import { callOf, type Organization } from '../world/client.ts'
import type { Supervised } from '../world/supervise.ts'

type Api = Supervised & { port: number }

const secondMs = 1_000
const hourMs = 3_600_000
const time = (ms: number) => new Date(ms).toISOString()

type Answered = { status: number; body: unknown; version: string }

const maxAttempts = 10

/** The API processes as a balancer knows them. */
type Balanced = {
  /** New requests go elsewhere; resolves when those that it has are answered. */
  drain(api: Api): Promise<void>
  enter(api: Api, version: string): void
  /** The version that answered each request, to be compared with the version that wrote the record. */
  request(method: string, path: string, key: string, body?: object): Promise<Answered>
  /** Requests so far, and the faults of some. */
  count(): number
  /** Requests that were busy elsewhere (503), and sent again. */
  repeated(): number
  complaints: string[]
}

export function openBalanced(apis: readonly Api[], version: string): Balanced {
  const open = new Map(apis.map((api) => [api, version]))
  const underWay = new Map<Api, Set<Promise<unknown>>>(apis.map((api) => [api, new Set()]))
  const complaints: string[] = []
  let count = 0
  let repeated = 0
  return {
    complaints,
    count: () => count,
    repeated: () => repeated,
    async drain(api) {
      open.delete(api)
      await Promise.allSettled(underWay.get(api)!)
    },
    enter: (api, which) => void open.set(api, which),
    async request(method, path, key, body) {
      for (let attempt = 1; ; attempt++) {
        const answer = await ask(method, path, key, body)
        if (answer.status < 300) return answer
        // The error says that nothing was changed.
        if (answer.status !== 503 || attempt === maxAttempts)
          throw complain(`${answer.version} ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
        repeated++
        await pause(attempt * 200)
      }
    },
  }

  /** Each in turn. */
  async function ask(method: string, path: string, key: string, body?: object): Promise<Answered> {
    const choices = [...open]
    const [api, version] = choices[count++ % choices.length]!
    const asking = callOf(`http://127.0.0.1:${api.port}`)(method, path, { key, body })
    underWay.get(api)!.add(asking)
    try {
      return { ...(await asking), version }
    } catch (error) {
      throw complain(`${version} ${method} ${path}: ${(error as Error).message}`)
    } finally {
      underWay.get(api)!.delete(asking)
    }
  }

  function complain(what: string): Error {
    complaints.push(what)
    return new Error(what)
  }
}

type Stories = {
  tasks: (() => Promise<unknown>)[]
  /** `event.created evt_…`: what must arrive once. */
  expected: Set<string>
  /** Records that one version wrote and another read. */
  readByAnother(): number
}

/** The stories about events: changed at once, held, and due during the upgrade. */
export function storiesOf(
  { request, complaints }: Balanced,
  { key }: Organization,
  calendars: readonly string[],
): Stories {
  const expected = new Set<string>()
  let nth = 0
  let readByAnother = 0

  async function create(body: object): Promise<{ id: string; version: string; path: string }> {
    const events = `/v1/calendars/${calendars[nth % calendars.length]}/events`
    const { body: made, version } = await request('POST', events, key, { reminders: [], ...body })
    const { id } = made as { id: string }
    return { id, version, path: `${events}/${id}` }
  }
  const expect = (id: string, ...types: string[]) => types.forEach((type) => void expected.add(`event.${type} ${id}`))
  /** Each story has an hour of its own, so that holds do not meet. */
  const ownHour = () => {
    const start = Date.now() + (24 + nth++) * hourMs
    return { start_time: time(start), end_time: time(start + hourMs / 2) }
  }

  async function changed(): Promise<void> {
    const title = `Story ${nth}`
    const isKept = nth % 4 === 0
    const { id, version, path } = await create({ title, ...ownHour() })
    expect(id, 'created')
    const read = await request('GET', path, key)
    if ((read.body as { title?: string }).title !== title)
      complaints.push(`${read.version} reads ${version}: ${JSON.stringify(read.body)}`)
    if (read.version !== version) readByAnother++
    await request('PATCH', path, key, { title: `${title}, changed` })
    expect(id, 'updated')
    if (isKept) return
    await request('DELETE', path, key)
    expect(id, 'deleted')
  }

  async function held(): Promise<void> {
    const which = nth % 3
    const expires = time(Date.now() + 60 * secondMs)
    const { id } = await create({ title: 'Held', status: 'hold', hold_expires_at: expires, ...ownHour() })
    expect(id, 'hold_created')
    if (which === 0) return expect(id, 'hold_expired')
    await request('PUT', `/v1/events/${id}/${which === 1 ? 'confirm' : 'release'}`, key)
    expect(id, which === 1 ? 'hold_confirmed' : 'hold_released')
  }

  /** Its moments come when other processes run than now. */
  async function due(): Promise<void> {
    const start = Date.now() + 45 * secondMs
    const { id } = await create({ title: 'Due', start_time: time(start), end_time: time(start + 10 * secondMs) })
    expect(id, 'created', 'started', 'ended')
  }

  return {
    tasks: [changed, held, due].map((story) => () => story().catch(() => {})),
    expected,
    readByAnother: () => readByAnother,
  }
}
