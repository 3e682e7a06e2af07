// The queues: how deep, how old, and the hand on their brake.
import { type PoolName, poolNames } from '../../src/wakeups/jobs.ts'
import { sources } from '../../workers/sweeper.ts'
import { type Command, type Given, requireWord, type Tools, UsageError } from './command.ts'
import { duration, table } from './text.ts'

const maxAtOnce = 500

const queueWord = `<${poolNames.join('|')}>`

export const queueCommands: readonly Command[] = [
  {
    name: 'queues',
    what: 'How many wake-ups wait, are at work or are delayed, how old the oldest is, and what is overdue in Postgres.',
    needsRedis: true,
    async run(tools) {
      const queues = await Promise.all(poolNames.map((name) => look(tools, name)))
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
    what: 'No worker takes a job of this queue any more. What is at work is finished.',
    more: 'What comes due meanwhile stays due in Postgres and is done, late, after `queues resume`.',
    needsRedis: true,
    run: (tools, given) => steer(tools, given, 'pause'),
  },
  {
    name: 'queues resume',
    words: queueWord,
    what: 'The workers go on.',
    needsRedis: true,
    run: (tools, given) => steer(tools, given, 'resume'),
  },
  {
    name: 'queues retry',
    words: queueWord,
    what: 'Rings at once for everything that is overdue, as the sweeper does within seconds.',
    needsRedis: true,
    async run(tools, given) {
      const queue = requireQueue(given)
      const { app } = tools
      const wakeups = await overdue(tools, queue)
      let rung = 0
      for (let at = 0; at < wakeups.length; at += maxAtOnce) {
        const group = wakeups.slice(at, at + maxAtOnce)
        if (!(await app.bell.ringNow(group))) throw new Error(`Redis did not take them all: ${rung} were rung for`)
        rung += group.length
      }
      return { json: { queue, rung }, text: `${rung} wake-ups rung` }
    },
  },
]

function requireQueue(given: Given): PoolName {
  const word = requireWord(given, 0, 'the queue')
  const queue = poolNames.find((name) => name === word)
  if (!queue) throw new UsageError(`there is no queue ${word}: ${poolNames.join(', ')}`)
  return queue
}

async function steer(tools: Tools, given: Given, what: 'pause' | 'resume') {
  const queue = requireQueue(given)
  await tools.app.bell.queues.get(queue)![what]()
  const now = await look(tools, queue)
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

async function look(tools: Tools, name: PoolName) {
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
