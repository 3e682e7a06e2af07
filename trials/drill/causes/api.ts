// What callers notice: errors, slow answers, no answer.
import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

const callers = 40

let lock: postgres.ReservedSql | undefined
let calling: Promise<unknown> | undefined
let isCalling = false

/** So many clients that each ask again as soon as they are answered. */
function callWithoutPause({ call, key, calendarIds }: Site) {
  isCalling = true
  const client = async (nth: number) => {
    while (isCalling) {
      const path = `/v1/calendars/${calendarIds[nth % calendarIds.length]}/events?limit=1&offset=${nth}`
      await call('GET', path, { key }).catch(() => pause(100))
    }
  }
  calling = Promise.all(Array.from({ length: callers }, (_, nth) => client(nth)))
}

async function stopCalling() {
  isCalling = false
  await calling
}

/** The API process is throttled as a container over its share of the processor is: it runs for a twentieth of the time. */
const throttled = { runMs: 40, standMs: 800 }
let throttle: Promise<void> | undefined
let isThrottled = false

async function throttleApi({ processes: { api } }: Site) {
  while (isThrottled) {
    api.signal('SIGSTOP')
    await pause(throttled.standMs)
    api.signal('SIGCONT')
    await pause(throttled.runMs)
  }
}

export const apiCauses: readonly Cause[] = [
  {
    what: 'Postgres lets no process in',
    alerts: ['ApiErrorsBurnFast', 'ApiErrorsBurnSlow', 'ApiErrorsBurnLow', 'PostgresAway'],
    async cause({ server }) {
      await server`alter database calendar allow_connections false`
      await server`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'agent-calendar %'`
    },
    relieve: ({ server }) => server`alter database calendar allow_connections true`,
  },
  {
    what: 'a session holds events and timers locked, forty clients ask on',
    alerts: ['ApiSlow', 'ConnectionsExhausted', 'StatementsTimeOut', 'JobsFail timers failed'],
    async cause(site) {
      lock = await site.sql.reserve()
      await lock.unsafe('begin')
      await lock.unsafe('lock table events, timers in access exclusive mode')
      callWithoutPause(site)
    },
    async relieve() {
      await lock?.unsafe('rollback')
      lock?.release()
      await stopCalling()
    },
  },
  {
    what: 'the API process gets a twentieth of a processor',
    alerts: ['EventLoopLate'],
    async cause(site) {
      isThrottled = true
      throttle = throttleApi(site)
    },
    async relieve() {
      isThrottled = false
      await throttle
    },
  },
  {
    what: 'the only API process stands still',
    alerts: ['ProcessDown', 'NoApi'],
    cause: async ({ processes }) => processes.api.signal('SIGSTOP'),
    relieve: async ({ processes }) => processes.api.signal('SIGCONT'),
  },
  {
    what: 'a stranger guesses the administrator token',
    alerts: ['AdminTokenGuessed'],
    // Not so often that the address of the drill is refused.
    async cause({ call }) {
      for (let nth = 0; nth < 40; nth++) await call('GET', '/v1/admin/orgs', { key: `guess-${nth}` })
    },
    relieve: async () => undefined,
  },
]
