// Commands that show the queues, and pause and resume them.
import { type PoolName, poolNames } from '../../src/wakeups/jobs.ts'
import { sources } from '../../workers/sweeper.ts'
import { type Command, type Given, requireWord, type Tools, UsageError } from './command.ts'
import { duration, table } from './text.ts'

const maxAtOnce = 500

const queueWord = `<${poolNames.join('|')}>`

export const queueCommands: readonly Command[] = [
  {
    name: 'queues',
    what: 'Shows how many wake-ups wait, are active or delayed, how old the oldest is, and what is overdue in Postgres.',
    needsRedis: true,
    async run(tools) {
      const queues = await Promise.all(poolNames.map((name) => inspectQueue(tools, name)))
      const rows = queues.map((queue) => [
        queue.queue,
        queue.paused ? 'paused' : '',
        queue.waiting,
        queue.active,
        queue.delayed,
        queue.workers,
        queue.oldest_waiting_seconds === null ? '' : duration(queue.oldest_waiting_seconds),
        queue.overdue,
      ])
      const titles = ['queue', 'state', 'waiting', 'active', 'delayed', 'workers', 'oldest', 'overdue']
      return { json: queues, text: table(titles, rows) }
    },
  },
  {
    name: 'queues pause',
    words: queueWord,
    what: 'Stops the workers from taking jobs of this queue. Active jobs are finished.',
    more: 'Work that comes due in the meantime stays due in Postgres and is done late, after `queues resume`.',
    needsRedis: true,
    run: (tools, given) => steer(tools, given, 'pause'),
  },
  {
    name: 'queues resume',
    words: queueWord,
    what: 'Lets the workers take jobs of this queue again.',
    needsRedis: true,
    run: (tools, given) => steer(tools, given, 'resume'),
  },
  {
    name: 'queues retry',
    words: queueWord,
    what: 'Wakes the workers now for everything that is overdue. The sweeper does the same within seconds.',
    needsRedis: true,
    async run(tools, given) {
      const queue = requireQueue(given)
      const { app } = tools
      const wakeups = await overdue(tools, queue)
      let rung = 0
      for (let at = 0; at < wakeups.length; at += maxAtOnce) {
        const group = wakeups.slice(at, at + maxAtOnce)
        if (!(await app.bell.ringNow(group)))
          throw new Error(`Redis took ${rung} of ${wakeups.length} wake-ups. Run this again.`)
        rung += group.length
      }
      return { json: { queue, rung }, text: `${rung} wake-ups sent` }
    },
  },
]

function requireQueue(given: Given): PoolName {
  const word = requireWord(given, 0, 'queue')
  const queue = poolNames.find((name) => name === word)
  if (!queue) throw new UsageError(`there is no queue ${word}: ${poolNames.join(', ')}`)
  return queue
}

async function steer(tools: Tools, given: Given, what: 'pause' | 'resume') {
  const queue = requireQueue(given)
  await tools.app.bell.queues.get(queue)![what]()
  const now = await inspectQueue(tools, queue)
  return { json: now, text: `${queue} is ${now.paused ? 'paused' : 'running'}, ${now.waiting} wait` }
}

/** One wake-up of a queue that takes many rows counts as one. */
const overdue = async ({ app }: Tools, queue: PoolName) => {
  const now = app.clock.now()
  const found = await Promise.all(
    sources.filter((source) => source.queue === queue).map(({ due }) => due(app, now, now)),
  )
  return found.flat()
}

async function inspectQueue(tools: Tools, name: PoolName) {
  const { app } = tools
  const queue = app.bell.queues.get(name)!
  const [counts, paused, workers, [oldest], due] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized'),
    queue.isPaused(),
    queue.getWorkersCount(),
    queue.getJobs(['waiting'], 0, 0, true),
    overdue(tools, name),
  ])
  return {
    queue: name,
    paused,
    waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
    active: counts.active ?? 0,
    delayed: counts.delayed ?? 0,
    workers,
    oldest_waiting_seconds: oldest
      ? Math.max(0, app.clock.now().getTime() - oldest.timestamp - (oldest.delay ?? 0)) / 1000
      : null,
    overdue: due.length,
  }
}
