// What the queues tell: jobs that are left behind, mails that do not go.
import { createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { queuePrefix } from '../../../src/queue.ts'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

let smtp: Server | undefined
let slow: string[] = []

const slowReceivers = 40

/** Takes every mail and forgets it. */
function openMailServer(port: number): Promise<Server> {
  const server = createServer((socket) => {
    let isData = false
    socket.on('error', () => undefined)
    socket.write('220 drill\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        if (isData && line !== '.') continue
        const isBegin = !isData && /^DATA/i.test(line)
        isData = isBegin
        socket.write(isBegin ? '354 go on\r\n' : '250 ok\r\n')
      }
    })
  })
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}

const timersQueue = ({ redis }: Site) =>
  new Queue('timers', { connection: { url: redis.url }, prefix: queuePrefix('calendar', 'timers') })

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
    what: 'the mail server is away',
    alerts: ['MailsStuck'],
    async cause({ call, create }) {
      const { body: terms } = await call('GET', '/v1/auth/terms/current')
      const body = { email: 'drill@example.org', agent_name: 'Drill', tos_version: terms.version }
      await create('/v1/agent/sign-up', body)
    },
    async relieve({ smtpPort }) {
      smtp ??= await openMailServer(smtpPort)
      smtp.unref()
    },
  },
  {
    what: 'a worker is killed while many receivers let it wait',
    alerts: ['JobsFail deliveries stalled'],
    async cause({ create, call, key, receiver, processes }) {
      receiver.answer = ({ type }) => (type === 'agent.updated' ? 'hang' : 200)
      const urls = Array.from({ length: slowReceivers }, (_, nth) => `${receiver.url}/slow/${nth}`)
      const hooks = urls.map((url) => create('/v1/webhooks', { url, events: ['agent.updated'] }))
      slow = (await Promise.all(hooks)).map(({ id }) => id)
      const { id } = await create('/v1/agents', { name: 'Drill', type: 'ai' })
      for (let nth = 0; nth < 5; nth++) await call('PATCH', `/v1/agents/${id}`, { key, body: { name: `Drill ${nth}` } })
      await pause(2_000)
      await processes.workers[0]!.kill()
    },
    async relieve({ call, key, receiver }) {
      receiver.answer = () => 200
      await Promise.all(slow.map((id) => call('DELETE', `/v1/webhooks/${id}`, { key })))
    },
  },
]
