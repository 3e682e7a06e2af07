// `npm run trial -- <name> [words]`: one entry to every trial; without a name it lists them. A trial runs the whole
// service, on loopback only, and ends by itself.
type Trial = {
  /** The words that choose it. */
  name: string
  words?: string
  what: string
  /** A program next to this file, which reads its own words. */
  file: string
}

const trials: readonly Trial[] = [
  {
    name: 'faults',
    words: '[fault …]',
    what: 'processes, stores and connections are killed or frozen under load: nothing is lost, reported twice or partly applied',
    file: 'faults/run.ts',
  },
  {
    name: 'failover',
    words: '[fault …] [--way haproxy|pgbouncer|hosts]',
    what: 'three Patroni nodes lose their primary, their standbys or their network under load: nothing is lost (needs root)',
    file: 'failover/run.ts',
  },
  {
    name: 'bench',
    words: '[benchmark …]',
    what: 'how fast the service is compared with the plainest thing that could do the same',
    file: 'bench/run.ts',
  },
  {
    name: 'heavy-reads',
    what: 'how long others wait while one organization sends large reads',
    file: 'bench/besideHeavyReads.ts',
  },
  {
    name: 'idle',
    words: '[seconds]',
    what: 'the cost of the idle service, also with many rows that are due later',
    file: 'bench/idle.ts',
  },
  {
    name: 'console',
    what: 'what the console costs a browser whose processor is 4 times slower, against its budgets',
    file: 'console/budgets.ts',
  },
  {
    name: 'drill',
    words: '[alert …]',
    what: 'each alert is caused by a genuine fault, seen to fire and seen to end',
    file: 'drill/drill.ts',
  },
  {
    name: 'feed large',
    words: '[entries] [waits]',
    what: 'catching up with 1,000,000 entries of the change feed, and 5,000 readers that wait in one process',
    file: 'feed/large.ts',
  },
  {
    name: 'feed',
    words: '[seconds]',
    what: 'writers and readers of the change feed while things are killed: every reader gets every change once and in order',
    file: 'feed/feed.ts',
  },
  {
    name: 'large',
    words: '[operation …] [--agents 1000000] [--against 10000]',
    what: 'what each operation costs with 1,000,000 agents and 20,000,000 events, against the same with 10,000 agents',
    file: 'large/large.ts',
  },
  {
    name: 'human-calendars',
    words: '[goal …] [--small] [--without]',
    what: 'calendars of humans at three providers, while processes are killed and answers are lost: each goal is measured',
    file: 'humanCalendars/run.ts',
  },
  {
    name: 'retries',
    words: '[kills]',
    what: 'answers are lost by kill -9 and cut connections, and requests are repeated with a key: every change happens once',
    file: 'retries/retries.ts',
  },
  {
    name: 'restore',
    what: 'Postgres and Redis are lost and come back from a base backup and the archived log, at a chosen moment',
    file: 'restore/restore.ts',
  },
  {
    name: 'upgrade',
    words: '[commit]',
    what: 'from an older version to this one under load, and back: every change sends its webhook once',
    file: 'upgrade/upgrade.ts',
  },
  {
    name: 'image',
    what: 'the image is built with buildah, looked through, and run as compose and Kubernetes run it (root, on Debian)',
    file: 'image/image.ts',
  },
  {
    name: 'scaling redis-cluster',
    what: 'the service on a Redis Cluster that loses nodes',
    file: 'scaling/redisCluster.ts',
  },
  {
    name: 'scaling redis-sentinel',
    what: 'the service on a Redis master that fails over',
    file: 'scaling/redisSentinel.ts',
  },
  {
    name: 'scaling rolling-restart',
    words: '[stories a second]',
    what: 'processes behind nginx and PgBouncer are replaced one by one: no request fails',
    file: 'scaling/rollingRestart.ts',
  },
  {
    name: 'scaling suite',
    words: '<pgbouncer|redis-cluster|redis-sentinel> [test file …]',
    what: 'the tests of the product on stores beyond one machine',
    file: 'scaling/suite.ts',
  },
]

const listed = trials.map(({ name, words = '', what }) => `  ${`${name} ${words}`.trimEnd()}\n      ${what}`).join('\n')
const help = `npm run trial -- <name>\n\n${listed}`

const given = process.argv.slice(2)
const trial = trials.find(({ name }) => name.split(' ').every((word, nth) => given[nth] === word))

if (trial) {
  // The program finds its words where it would find them if it were started by itself.
  process.argv.splice(2, trial.name.split(' ').length)
  await import(new URL(trial.file, import.meta.url).href)
} else if (given.length === 0 || given[0] === '--help' || given[0] === '-h') {
  console.log(help)
} else {
  console.error(`agent-calendar: there is no trial ${given.join(' ')}\n\n${help}`)
  process.exitCode = 2
}
