// The service out of the image, on stores of its own: every process that compose and Kubernetes declare at once, each
// asked as its health checks and probes ask, until a signed webhook has arrived.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../local/ports.ts'
import { startPostgres } from '../../local/postgres.ts'
import { startRedis } from '../../local/redis.ts'
import { keptSecrets } from '../../local/secrets.ts'
import { openReceiver } from '../../src/testing/receiver.ts'
import { callOf, makeOrganization } from '../world/client.ts'
import type { Opened } from '../world/opened.ts'
import type { ImageConfig } from './builder.ts'
import type { Check } from './checks.ts'
import type { Container, Engine } from './container.ts'
import { type Declared, isMigration, ofCompose, ofImage, ofKubernetes } from './declared.ts'

const readyWithinMs = 180_000
const arrivesWithinMs = 60_000
/** As `stop_grace_period` and `terminationGracePeriodSeconds` leave it at least. */
const endsWithinMs = 20_000
const dayMs = 86_400_000

type Site = { opened: Opened; engine: Engine; config: ImageConfig; check: Check; say(line: string): void }
type Running = { declared: Declared[]; container: Container; env: Record<string, string>; name: string }

export async function tryService(site: Site): Promise<void> {
  const { opened, check, say } = site
  const env = await openStores(opened)
  const all = [ofImage(site.config), ...ofCompose(env), ...ofKubernetes()]
  const user = Number(site.config.User.split(':')[0])
  const others = all.filter((one) => one.user !== undefined && Number(one.user) !== user)
  check('all start it as the user of the image', others.length === 0, others.map(({ where }) => where).join(', '))

  say('running the migrations')
  for (const [nth, { where, command }] of all.filter(isMigration).entries()) {
    const { code, printed } = await site.engine.run(command, { DATABASE_URL: env.DATABASE_URL! })
    check(`${where}: the migrations run`, code === 0 && (printed !== '') === (nth === 0), printed)
  }
  const running: Running[] = []
  for (const declared of byCommand(all.filter((one) => !isMigration(one)))) {
    running.push(await start(site, declared, env))
  }
  say(`${running.length} processes are starting`)
  for (const one of running) await tryProcess(site, one, user)
  const api = running.find(({ name }) => name.includes('api/main.ts'))!
  say('waiting for a signed webhook')
  await tryWebhook(site, `http://127.0.0.1:${api.env.PORT}`, env.ADMIN_TOKEN!)
  const tools = await site.engine.run(['node', 'ops/cli/main.ts', 'orgs', 'list', '--json'], api.env)
  check("the operator's tools run", tools.code === 0 && JSON.parse(tools.printed).total >= 1, tools.printed)
  const writing = ['node', '-e', "require('node:fs').writeFileSync('/app/x', '')"]
  check('nothing can be written beside /tmp', (await site.engine.run(writing, {})).code === 1)
  say('ending all processes')
  await Promise.all(running.map((one) => end(site, one)))
}

/** Addresses and secrets, for the variables of the compose file and for every process. */
async function openStores({ dataDir, onClose }: Opened): Promise<Record<string, string>> {
  const postgres = await startPostgres({ dataDir, durable: false })
  onClose(() => postgres.stop('now'))
  const redis = await startRedis({ dataDir, durable: false })
  onClose(() => redis.stop('now'))
  return {
    ...keptSecrets(dataDir, {}),
    ...{ POSTGRES_PASSWORD: randomBytes(8).toString('hex'), REDIS_PASSWORD: randomBytes(8).toString('hex') },
    ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, SMTP_URL: 'smtp://127.0.0.1:1' },
    // The network is that of the machine: only loopback.
    ...{ HOST: '127.0.0.1', OUTBOUND_TRUSTED_HOSTS: '127.0.0.1' },
  }
}

function byCommand(all: readonly Declared[]): Declared[][] {
  return [...Map.groupBy(all, ({ command }) => command.join(' ')).values()]
}

async function start({ engine }: Site, declared: Declared[], stores: Record<string, string>): Promise<Running> {
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }
  const env = { ...Object.assign({}, ...declared.map((one) => one.env)), ...stores, ...ports }
  const { command } = declared[0]!
  return { declared, container: engine.start(command, env), env, name: command.slice(1).join(' ') }
}

async function tryProcess({ engine, check, say }: Site, running: Running, user: number): Promise<void> {
  const { declared, container, env, name } = running
  const metrics = `http://127.0.0.1:${env.METRICS_PORT}`
  const until = performance.now() + readyWithinMs
  while (!(await isGood(`${metrics}/metrics`)) && !container.hasEnded() && performance.now() < until) await pause(100)
  check(`${name}: is ready`, !container.hasEnded() && performance.now() < until)
  if (container.hasEnded()) return
  say(`${name} is ready`)
  for (const { where, healthcheck, probes } of declared) {
    for (const path of new Set(probes)) check(`${where}: ${path} answers`, await isGood(metrics + path))
    if (!healthcheck) continue
    const words = healthcheck.map((word) =>
      word.replace(':3000/', `:${env.PORT}/`).replace(':9464/', `:${env.METRICS_PORT}/`),
    )
    check(`${where}: the health check succeeds`, (await engine.run(words, {})).code === 0)
  }
  const rights = ['Uid', 'CapEff', 'NoNewPrivs', 'Groups'].map((field) => container.status(field).split(/\s/)[0])
  check(`${name}: has no rights`, rights.join() === `${user},${'0'.repeat(16)},1,`, rights.join())
}

async function tryWebhook({ opened, check }: Site, baseUrl: string, adminToken: string): Promise<void> {
  const receiver = await openReceiver()
  opened.onClose(() => receiver.close())
  const org = await makeOrganization(callOf(baseUrl), adminToken)
  const agent = await org.create('/v1/agents', { name: 'Robin', type: 'ai' })
  const calendar = await org.create(`/v1/agents/${agent.id}/calendars`, { name: 'Work', timezone: 'UTC' })
  const { secret } = await org.create('/v1/webhooks', {
    url: receiver.url,
    standard: true,
    events: ['event.created', 'event.started'],
  })
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const events = `/v1/calendars/${calendar.id}/events`
  await org.create(events, { title: 'Tomorrow', start_time: at(dayMs), end_time: at(dayMs + 60_000) })
  await org.create(events, { title: 'Now', start_time: at(3_000), end_time: at(60_000) })
  const has = (type: string) => receiver.received.some((one) => one.type === type)
  const until = performance.now() + arrivesWithinMs
  while (!(has('event.created') && has('event.started')) && performance.now() < until) await pause(100)
  for (const type of ['event.created', 'event.started']) check(`${type} arrives`, has(type))
  const unsigned = receiver.received.filter(
    ({ raw, headers }) => !isSigned(secret, raw, headers as Record<string, string>),
  )
  check('every webhook is signed', receiver.received.length > 0 && unsigned.length === 0)
  for (const path of ['/', '/docs', '/openapi.json', '/docs/runbook']) {
    check(`GET ${path} answers`, await isGood(baseUrl + path))
  }
}

function isSigned(secret: string, raw: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(raw, headers)
    return true
  } catch {
    return false
  }
}

async function end({ check, say }: Site, { declared, container, name }: Running): Promise<void> {
  if (container.hasEnded()) return
  const usedMb = Math.round(Number.parseInt(container.status('VmHWM'), 10) / 1024)
  const limitMb = Math.min(...declared.flatMap(({ memoryMb }) => memoryMb ?? []))
  check(`${name}: keeps within its memory`, usedMb < limitMb, `${usedMb} of ${limitMb} MB`)
  const { code, ms } = await container.stop()
  check(`${name}: ends when it is told to`, code === 0 && ms < endsWithinMs, `exit code ${code}, ${Math.round(ms)} ms`)
  say(`${name} used ${usedMb} MB at most, and ended within ${Math.round(ms / 100) / 10} s`)
}

const isGood = (address: string) =>
  fetch(address).then(
    async ({ ok, body }) => {
      await body?.cancel()
      return ok
    },
    () => false,
  )
