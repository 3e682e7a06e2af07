// Faults that the queues show: jobs that are left behind, mails that are not sent.
import { setTimeout as pause } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { SMTPServer } from 'smtp-server'
import { queuePrefix } from '../../../src/wakeups/jobs.ts'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

let smtp: SMTPServer | undefined
let slow: string[] = []

const slowReceivers = 40

/** Takes every mail and forgets it. */
async function openMailServer(port: number): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void stream.on('end', done).resume(),
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

const timersQueue = ({ store }: Site) =>
  new Queue('timers', { connection: { url: store('redis').url }, prefix: queuePrefix('calendar', 'timers') })

export const queueCauses: readonly Cause[] = [
  {
    what: 'the queue of timers is paused',
    alerts: ['QueueBehind timers', 'TimersOverdue'],
    async cause(site) {
      const queue = timersQueue(site)
      await queue.pause()
      await queue.close()
    },
    async relieve(site) {
      const queue = timersQueue(site)
      await queue.resume()
      await queue.close()
    },
  },
  {
    what: 'the mail server is down',
    alerts: ['MailsStuck'],
    async cause({ call, create }) {
      const { body: terms } = await call('GET', '/v1/auth/terms/current')
      const body = { email: 'drill@example.org', agent_name: 'Drill', tos_version: terms.version }
      await create('/v1/agent/sign-up', body)
    },
    async relieve({ smtpPort }) {
      smtp ??= await openMailServer(smtpPort)
      smtp.server.unref()
    },
  },
  {
    what: 'a worker is killed while many receivers keep it waiting',
    alerts: ['JobsFail deliveries stalled'],
    async cause({ create, call, key, receiver, workers }) {
      receiver.answer = ({ type }) => (type === 'agent.updated' ? 'hang' : 200)
      const urls = Array.from({ length: slowReceivers }, (_, nth) => `${receiver.url}/slow/${nth}`)
      const hooks = urls.map((url) => create('/v1/webhooks', { url, events: ['agent.updated'] }))
      slow = (await Promise.all(hooks)).map(({ id }) => id)
      const { id } = await create('/v1/agents', { name: 'Drill', type: 'ai' })
      for (let nth = 0; nth < 5; nth++) await call('PATCH', `/v1/agents/${id}`, { key, body: { name: `Drill ${nth}` } })
      await pause(2_000)
      await workers[0]!.kill()
    },
    async relieve({ call, key, receiver }) {
      receiver.answer = () => 200
      await Promise.all(slow.map((id) => call('DELETE', `/v1/webhooks/${id}`, { key })))
    },
  },
]
