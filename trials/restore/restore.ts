// `npm run trial -- restore`: the service is backed up while it runs, its Postgres and its Redis are lost, and a new
// installation starts from the backup and the archived log, at a moment that was chosen (docs/operating.md, "Backups").
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { callOf, makeOrganization, type Organization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, type Opened, openAll } from '../world/opened.ts'
import { table } from '../world/report.ts'
import { runTrial } from '../world/trial.ts'
import { archived, archiveSettings, openArchive, restoreBackup, takeBackup } from './baseBackup.ts'

const maxMs = 10 * 60_000
/** A hold lives 30 seconds at least. */
const shortHoldMs = 33_000
const longHoldMs = 100_000
const dayMs = 86_400_000

type Site = Closable & { receiver: Receiver; archive: string; before: Installation; opened: Opened }

const checks: [what: string, isSo: boolean][] = []
const check = (what: string, isSo: boolean) => void checks.push([what, isSo])
const time = (ms: number) => new Date(ms).toISOString()

async function openSite(opened: Opened): Promise<Omit<Site, keyof Closable>> {
  // The account of Postgres passes through.
  chmodSync(opened.dataDir, 0o711)
  const receiver = await openReceiver()
  opened.onClose(() => receiver.close())
  const archive = openArchive(join(opened.dataDir, 'archive'))
  const place = placeOf(opened, 'before')
  const before = await openInstallation(place, { durable: true, postgresSettings: archiveSettings(archive) })
  return { receiver, archive, before, opened }
}

function placeOf({ dataDir, onClose }: Opened, name: string): Opened {
  const own = join(dataDir, name)
  mkdirSync(own, { mode: 0o711 })
  return { dataDir: own, onClose }
}

type Made = { id: string }

async function run({ receiver, archive, before, opened, dataDir }: Site): Promise<void> {
  let isLaterOpen = false
  receiver.answer = ({ path }) => (path.startsWith('/later') && !isLaterOpen ? 500 : 204)
  const call = callOf(before.baseUrls[0])
  const org = await makeOrganization(call, before.adminToken)
  const agent = (await org.create('/v1/agents', { name: 'Robin', type: 'ai' })) as Made
  const calendar = (await org.create(`/v1/agents/${agent.id}/calendars`, { name: 'Work', timezone: 'UTC' })) as Made
  await org.create('/v1/webhooks', { url: receiver.url, events: ['event.created', 'event.hold_expired'] })
  const later = new URL('/later', receiver.url).href
  await org.create('/v1/webhooks', { url: later, events: ['event.created'] })
  const events = `/v1/calendars/${calendar.id}/events`
  const create = (title: string, more: object = {}) =>
    org.create(events, {
      ...{ title, start_time: time(Date.now() + dayMs), end_time: time(Date.now() + dayMs + 3_600_000) },
      ...more,
    }) as Promise<Made>

  const old = await create('Before the backup')
  const sql = before.connect()
  await takeBackup(before.store('postgres').url, before.store('postgres').directory, join(dataDir, 'backup'))
  console.log('  backed up')
  const kept = await create('After the backup')
  const hold = (ms: number) => ({ status: 'hold', hold_expires_at: time(Date.now() + ms) })
  const short = await create('Expires between the moment and the restore', hold(shortHoldMs))
  const long = await create('Expires after the restore', {
    ...hold(longHoldMs),
    start_time: time(Date.now() + 2 * dayMs),
    end_time: time(Date.now() + 2 * dayMs + 1_000),
  })
  const longEndMs = Date.now() + longHoldMs
  await until(() => told(receiver, '/later', kept.id).length > 0)
  await pause(1_000)
  const usedEvents = async (calling: typeof call) =>
    (await calling('GET', '/v1/usage', { key: org.key })).body.events.used
  const used = await usedEvents(call)
  const cursorNow = async () => (await call('GET', '/v1/changes', { key: org.key })).body.cursor as string
  const known = await cursorNow()
  const [{ moment }] = await sql<[{ moment: string }]>`select now()::text as moment`
  await pause(1_000)
  const lost = await create('After the moment')
  const ahead = await cursorNow()
  await until(() => told(receiver, '/hook', short.id, 'event.hold_expired').length > 0)
  console.log('  the short hold has expired')
  await archived(sql)
  await sql.end()

  for (const process of [...before.apis, ...before.workers]) await process.stop()
  await before.store('postgres').stop('now')
  await before.store('redis').stop('now')
  const pending = told(receiver, '/later', kept.id)[0]!.deliveryId
  receiver.received.length = 0
  isLaterOpen = true
  const place = placeOf(opened, 'after')
  copyFileSync(join(before.env.DATA_DIR!, 'secrets.json'), join(place.dataDir, 'secrets.json'))
  restoreBackup(join(dataDir, 'backup'), join(place.dataDir, 'postgres'), archive, moment)
  console.log(`  restoring as it was at ${moment}`)
  const after = await openInstallation(place, { durable: true, prepare: declareRestored })
  await judge(after, org)

  async function judge(restored: Installation, { key }: Organization): Promise<void> {
    const ask = callOf(restored.baseUrls[0])
    const read = (path: string) => ask('GET', path, { key })
    const titleOf = async ({ id }: Made) => (await read(`${events}/${id}`)).body.title
    check('an event from before the backup is there, its title readable', (await titleOf(old)) === 'Before the backup')
    check('so is one from after it, from the archived log', (await titleOf(kept)) === 'After the backup')
    check('what was committed after the moment is gone', (await read(`${events}/${lost.id}`)).status === 404)
    for (const cursor of [known, ahead]) {
      const refused = await read(`/v1/changes?cursor=${encodeURIComponent(cursor)}`)
      const isGone = refused.status === 410 && refused.body.error.reason === 'restored'
      check(`a cursor from ${cursor === known ? 'before' : 'after'} the moment is gone: restored`, isGone)
      const resumed = await read(`/v1/changes?cursor=${encodeURIComponent(refused.body.error?.resync?.cursor)}`)
      check('its answer has one that goes on', resumed.status === 200)
    }
    const expired = (event: Made) => told(receiver, '/hook', event.id, 'event.hold_expired')
    await until(() => expired(short).length > 0)
    const status = (await read(`${events}/${short.id}`)).body.status
    check('a hold that lapsed meanwhile has expired again', status === 'cancelled')
    check('the events of the month are counted as they were', used === 4 && (await usedEvents(ask)) === used)
    await until(() => told(receiver, '/later', kept.id).length > 0)
    const again = told(receiver, '/later', kept.id).map(({ deliveryId }) => deliveryId)
    check('a pending delivery was sent, under its old id', again.length === 1 && again[0] === pending)
    await until(() => expired(long).length > 0)
    check('a hold that lapses after the restore does so at its time', Math.abs(Date.now() - longEndMs) < 3_000)
    await pause(3_000)
    check('each moment fired once', expired(short).length === 1 && expired(long).length === 1)
    const fresh = await ask('POST', events, {
      key,
      body: { title: 'New', start_time: time(Date.now() + dayMs), end_time: time(Date.now() + dayMs + 1_000) },
    })
    await until(() => told(receiver, '/hook', fresh.body.id).length > 0)
    check('a new event is made and told', fresh.status === 201)
  }
}

/** Cursors from before know changes that the restored database has lost. */
function declareRestored(env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(process.execPath, ['ops/cli/main.ts', 'feed', 'restored'], { env })
  if (status !== 0) throw new Error(`feed restored: ${stderr}`)
}

const told = (receiver: Receiver, path: string, eventId: string, type = 'event.created') =>
  receiver.received.filter(
    (one) => one.path.startsWith(path) && one.type === type && JSON.stringify(one.payload).includes(eventId),
  )

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(50)
}

process.exit(
  await runTrial<Site>({
    what: 'The service is restored from a base backup and the archived log, at a chosen moment (3 minutes)',
    stop: listenForStop(),
    maxMs,
    open: () => openAll('restore', async (opened) => openSite(opened)) as Promise<Site>,
    run,
    isWrong: () => checks.length === 0 || checks.some(([, isSo]) => !isSo),
    report: () =>
      table(
        ['what', 'so'],
        checks.map(([what, isSo]) => [what, isSo ? 'yes' : 'NO']),
      ),
  }),
)
