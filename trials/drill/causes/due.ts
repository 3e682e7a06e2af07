// Work that is due and is not done, or not by the process that should do it.
import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from '../../world/steadily.ts'
import { restartAll } from '../../world/supervise.ts'
import type { Cause } from '../cause.ts'

const frozenMs = 15_000
const endpoints = 24
/** An endpoint that fails this often in a row is switched off. */
const failures = 50

let refused: string[] = []
let more: Load | undefined

export const dueCauses: readonly Cause[] = [
  {
    what: 'no worker serves timers and deliveries',
    alerts: ['TimersOverdue', 'DeliveriesOverdue', 'QueueBehind timers', 'NoWorker timers', 'NoWorker deliveries'],
    cause: ({ workers }) => restartAll(workers, { WORKER_POOLS: 'ical,mail,upkeep' }),
    relieve: ({ workers }) => restartAll(workers),
  },
  {
    what: `both workers are frozen for ${frozenMs / 1000} s`,
    alerts: ['TimersFireLate', 'DeliveriesLate'],
    async cause({ workers }) {
      for (const worker of workers) worker.signal('SIGSTOP')
      await pause(frozenMs)
      for (const worker of workers) worker.signal('SIGCONT')
    },
    relieve: async () => undefined,
  },
  {
    what: `${endpoints} endpoints refuse every delivery`,
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
    what: 'the API process rings in another Redis database than the one the workers listen to',
    alerts: ['SweeperRescues deliveries'],
    async cause(site) {
      await site.apis[0]!.restart({ REDIS_URL: `${site.store('redis').url}/1` })
      more = site.startLoad(20)
    },
    async relieve(site) {
      await more?.stop()
      await site.apis[0]!.restart()
    },
  },
  {
    what: 'the table mails is missing',
    alerts: ['SweeperStopped', 'MeasurementsFail mails'],
    cause: ({ sql }) => sql`alter table mails rename to mails_away`,
    relieve: ({ sql }) => sql`alter table mails_away rename to mails`,
  },
]
