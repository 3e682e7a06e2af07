// What is due and is not done, or not by those who should.
import { setTimeout as pause } from 'node:timers/promises'
import type { Cause } from '../cause.ts'
import type { Load } from '../load.ts'

const standStillMs = 15_000
const endpoints = 24
/** In a row, and an endpoint is switched off. */
const failures = 50

let refused: string[] = []
let more: Load | undefined

export const dueCauses: readonly Cause[] = [
  {
    what: 'no worker serves timers and deliveries',
    alerts: ['TimersOverdue', 'DeliveriesOverdue', 'QueueBehind timers', 'NoWorker timers', 'NoWorker deliveries'],
    cause: (site) => site.processes.restartWorkers({ WORKER_POOLS: 'ical,mail,upkeep' }),
    relieve: (site) => site.processes.restartWorkers(),
  },
  {
    what: `both workers stand still for ${standStillMs / 1000} s`,
    alerts: ['TimersFireLate', 'DeliveriesLate'],
    async cause({ processes: { workers } }) {
      for (const worker of workers) worker.signal('SIGSTOP')
      await pause(standStillMs)
      for (const worker of workers) worker.signal('SIGCONT')
    },
    relieve: async () => undefined,
  },
  {
    what: `${endpoints} endpoints refuse whatever they get`,
    alerts: ['WebhooksSwitchedOff'],
    async cause(site) {
      const { create, receiver } = site
      receiver.answer = ({ type }) => (type === 'agent.created' ? 500 : 200)
      const urls = Array.from({ length: endpoints }, (_, nth) => `${receiver.url}/${nth}`)
      const hooks = urls.map((url) => create('/v1/webhooks', { url, events: ['agent.created'] }))
      refused = (await Promise.all(hooks)).map(({ id }) => id)
      for (let nth = 0; nth < failures; nth++) await create('/v1/agents', { name: `Drill ${nth}`, type: 'ai' })
    },
    async relieve({ call, key, receiver }) {
      receiver.answer = () => 200
      await Promise.all(refused.map((id) => call('DELETE', `/v1/webhooks/${id}`, { key })))
    },
  },
  {
    what: 'the API process rings at another database of Redis than the workers listen to',
    alerts: ['SweeperRescues deliveries'],
    async cause(site) {
      await site.processes.restartApi({ REDIS_URL: `${site.redis.url}/1` })
      more = site.startLoad(20)
    },
    async relieve(site) {
      await more?.stop()
      await site.processes.restartApi()
    },
  },
  {
    what: 'the table of mails is gone',
    alerts: ['SweeperStopped', 'MeasurementsFail mails'],
    cause: ({ sql }) => sql`alter table mails rename to mails_away`,
    relieve: ({ sql }) => sql`alter table mails_away rename to mails`,
  },
]
