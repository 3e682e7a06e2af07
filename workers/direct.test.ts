import assert from 'node:assert/strict'
import { newId } from '../src/shapes/ids.ts'
import { testStart } from '../src/testing/harness.ts'
import { serviceTest } from '../src/testing/test.ts'
import { type Payload, queues, type Wakeup, wakeup } from '../src/wakeups/jobs.ts'
import { wakeLane } from '../src/wakeups/lanes.ts'
import { openDirectWork } from './direct.ts'
import type { QueueHandlers } from './handlers.ts'
import { wakePurge } from './upkeep.ts'

const test = serviceTest()

/** Handlers that run until the test ends them, the first one first. */
function openHandlers() {
  const working: { job: string; payload: object; end: () => void }[] = []
  const maxSeen = new Map<string, number>()
  const handle = (job: string) => (payload: object) =>
    new Promise<void>((resolve) => {
      working.push({ job, payload, end: resolve })
      maxSeen.set(job, Math.max(maxSeen.get(job) ?? 0, working.filter((other) => other.job === job).length))
    })
  const handlers: QueueHandlers = {
    timers: { fire: handle('fire') },
    deliveries: { deliver: handle('deliver') },
    ical: { sync: handle('sync') },
    connections: { read: handle('read'), attend: handle('attend'), watch: handle('watch') },
    publishing: { publish: handle('publish') },
    mail: { mail: handle('mail') },
    upkeep: {
      ...{ erase: handle('erase'), expire: handle('expire'), revoke: handle('revoke'), replay: handle('replay') },
      ...{ measure: handle('measure'), purge: handle('purge') },
    },
  }
  /** Ends one after the other until none runs. Returns how many there were. */
  async function endAll() {
    for (let ended = 0; ; ended++) {
      const next = working.shift()
      if (!next) return ended
      next.end()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { handlers, working, maxSeen, endAll }
}

const orgId = newId()
const newRow = () => ({ orgId, id: newId() })
const many = (count: number, wake: () => Wakeup) => Array.from({ length: count }, wake)

test('a queue works on as many at once as its pool does, and on every one of them', async ({ service }) => {
  const { handlers, working, maxSeen, endAll } = openHandlers()
  const direct = openDirectWork(service.app, handlers)
  const wakeups = [
    ...many(500, () => wakeup('sync', newRow(), testStart)),
    ...many(50, () => wakeup('mail', newRow(), testStart)),
    ...many(500, () => wakeLane({ orgId, subscriptionId: newId() }, testStart)),
  ]
  direct.start(wakeups)
  // The next sweep finds them again.
  direct.start(wakeups)
  assert.equal(working.length, queues.ical.atOnce + queues.mail.atOnce + queues.deliveries.atOnce)
  assert.equal(await endAll(), wakeups.length)
  assert.deepEqual(Object.fromEntries(maxSeen), {
    sync: queues.ical.atOnce,
    mail: queues.mail.atOnce,
    deliver: queues.deliveries.atOnce,
  })
  await direct.close()
})

test('one that fails makes room for the next', async ({ service }) => {
  const { handlers } = openHandlers()
  const tried: number[] = []
  const purge = ({ hour }: Payload<'purge'>) => {
    tried.push(hour)
    return Promise.reject(new Error('it fails'))
  }
  const direct = openDirectWork(service.app, { ...handlers, upkeep: { ...handlers.upkeep, purge } })
  const hours = Array.from({ length: 20 }, (_, hour) => hour)
  direct.start(hours.map(wakePurge))
  while (tried.length < hours.length) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(tried, hours)
  await direct.close()
})

test('what is closed finishes what is under way, and begins nothing more', async ({ service }) => {
  const { handlers, working, endAll } = openHandlers()
  const direct = openDirectWork(service.app, handlers)
  direct.start(many(50, () => wakeup('mail', newRow(), testStart)))
  let isOver = false
  const closed = direct.close().then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isOver, false)
  assert.equal(working.length, queues.mail.atOnce)
  assert.equal(await endAll(), queues.mail.atOnce)
  await closed
})
