// Faults that callers notice: errors, slow answers, no answer.
import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

const callers = 40

let lock: postgres.ReservedSql | undefined
let calling: Promise<unknown> | undefined
let isCalling = false

/** Clients that each ask again as soon as they are answered. */
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

/** As a container over its share of the processor is throttled: the API process runs for a twentieth of the time. */
const throttled = { runMs: 40, frozenMs: 800 }
let throttle: Promise<void> | undefined
let isThrottled = false

async function throttleApi({ apis }: Site) {
  const api = apis[0]!
  while (isThrottled) {
    api.signal('SIGSTOP')
    await pause(throttled.frozenMs)
    api.signal('SIGCONT')
    await pause(throttled.runMs)
  }
}

export const apiCauses: readonly Cause[] = [
  {
    what: 'Postgres accepts no process',
    alerts: ['ApiErrorsBurnFast', 'ApiErrorsBurnSlow', 'ApiErrorsBurnLow', 'PostgresAway'],
    async cause({ server }) {
      await server`alter database calendar allow_connections false`
      await server`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'agent-calendar %'`
    },
    relieve: ({ server }) => server`alter database calendar allow_connections true`,
  },
  {
    what: 'a session locks events and timers while forty clients keep asking',
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
    what: 'the only API process is frozen',
    alerts: ['ProcessDown', 'NoApi'],
    cause: async ({ apis }) => apis[0]!.signal('SIGSTOP'),
    relieve: async ({ apis }) => apis[0]!.signal('SIGCONT'),
  },
  {
    what: 'a stranger guesses the administrator token',
    alerts: ['AdminTokenGuessed'],
    // Not often enough for the address of the drill to be refused.
    async cause({ call }) {
      for (let nth = 0; nth < 40; nth++) await call('GET', '/v1/admin/orgs', { key: `guess-${nth}` })
    },
    relieve: async () => undefined,
  },
]
