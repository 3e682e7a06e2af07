// `npm run trial -- upgrade [ref]`: the steps of docs/operating.md, "Upgrades", with the code of an older commit and that of today:
// forward under load, back, and forward again. Every change and every moment must send its webhook once.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { migrate } from '../../ops/migrate.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { callOf, makeOrganization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { table } from '../world/report.ts'
import { startSteadily } from '../world/steadily.ts'
import { repository } from '../world/supervise.ts'
import { runTrial } from '../world/trial.ts'
import { openBalanced, storiesOf } from './load.ts'
import { commitOf, defaultRef, unpack } from './oldCode.ts'

const maxMs = 12 * 60_000
/** Each state of the installation is kept for this long. */
const phaseMs = 15_000
/** The last moments come a minute after the load; then the last webhooks. */
const quietMs = 90_000

/** Every version has these. */
const types = [
  ...['created', 'updated', 'deleted', 'started', 'ended'],
  ...['hold_created', 'hold_expired', 'hold_released', 'hold_confirmed'],
]

const ref = process.argv[2] ?? defaultRef()
const commit = commitOf(ref)
if (!commit) {
  console.error(`agent-calendar: there is no commit ${ref}`)
  process.exit(2)
}

type Site = Closable & { receiver: Receiver; installation: Installation; old: string }

const checks: [what: string, isSo: boolean][] = []
const check = (what: string, isSo: boolean) => void checks.push([what, isSo])

const openSite = () =>
  openAll('upgrade', async (opened) => {
    const receiver = await openReceiver()
    opened.onClose(() => receiver.close())
    const old = join(opened.dataDir, 'old')
    unpack(ref, old)
    const installation = await openInstallation(opened, { apis: 2, workers: 2, durable: true, root: old })
    return { receiver, installation, old }
  })

async function run({ receiver, installation, old }: Site): Promise<void> {
  const { apis, workers, adminToken, baseUrls } = installation
  const org = await makeOrganization(callOf(baseUrls[0]), adminToken)
  const agent = await org.create('/v1/agents', { name: 'Robin', type: 'ai' })
  const calendars: string[] = []
  while (calendars.length < 10)
    calendars.push((await org.create(`/v1/agents/${agent.id}/calendars`, { name: 'Work', timezone: 'UTC' })).id)
  await org.create('/v1/webhooks', { url: receiver.url, events: types.map((type) => `event.${type}`) })

  const balanced = openBalanced(apis, 'old')
  const stories = storiesOf(balanced, org, calendars)
  const load = startSteadily(1, stories.tasks, 12)
  const step = async (what: string, work: () => Promise<unknown>) => {
    await work()
    console.log(`  ${what}: ${balanced.count()} requests, ${receiver.received.length} webhooks`)
    await pause(phaseMs)
  }
  const become = { old, new: repository }
  const replaceApi = async (nth: number, version: 'old' | 'new') => {
    const api = apis[nth]!
    await balanced.drain(api)
    await api.become(become[version])
    balanced.enter(api, version)
  }
  const replaceWorker = (nth: number, version: 'old' | 'new') => workers[nth]!.become(become[version])

  await step(`all processes run ${commit}`, async () => {})
  let applied: string[] = []
  const { url } = installation.store('postgres')
  await step('the schema of today with a column and an index more, all processes as before', async () => {
    applied = await migrate(url)
    await migrate(url, join(import.meta.dirname, 'added'))
  })
  await step('one new worker, one old', () => replaceWorker(0, 'new'))
  await step('two new workers, one new API process, one old', async () => {
    await replaceWorker(1, 'new')
    await replaceApi(0, 'new')
  })
  await step('everything is new', () => replaceApi(1, 'new'))
  await step('back: one old API process, one new', () => replaceApi(0, 'old'))
  await step('everything is old again, on the schema of today', async () => {
    await replaceApi(1, 'old')
    for (const nth of [0, 1]) await replaceWorker(nth, 'old')
  })
  await step('forward again: everything is new', async () => {
    for (const nth of [0, 1]) await replaceWorker(nth, 'new')
    for (const nth of [0, 1]) await replaceApi(nth, 'new')
  })
  await step('the column and the index are removed', () => migrate(url, join(import.meta.dirname, 'removed')))
  await load.stop()
  console.log('  the load has ended; the last moments are awaited')
  judge(await arrived(receiver, stories.expected), stories.expected)
  for (const complaint of balanced.complaints.slice(0, 10)) console.error(`  ${complaint}`)
  check(
    `each of ${balanced.count()} requests succeeded (${balanced.repeated()} after a 503)`,
    balanced.complaints.length === 0,
  )
  check(`each version read what the other wrote (${stories.readByAnother()} times)`, stories.readByAnother() > 0)
  const crashes = [...apis, ...workers].flatMap((process) => process.crashes)
  check(`no process ended by itself${crashes.map((crash) => `: ${crash}`).join('')}`, crashes.length === 0)
  console.log(`  ${applied.length} migrations lie between ${commit} and today`)
}

type Arrived = Map<string, Set<string>>

/** The deliveries that arrived, by type and event, with their ids. Waits until all are there, or until the deadline. */
async function arrived({ received }: Receiver, expected: ReadonlySet<string>): Promise<Arrived> {
  const until = Date.now() + quietMs
  const read = () => {
    const told: Arrived = new Map()
    for (const { type, payload, deliveryId } of received) {
      const what = `${type} ${payload.event?.id ?? payload.event_id}`
      told.set(what, (told.get(what) ?? new Set()).add(deliveryId))
    }
    return told
  }
  while (Date.now() < until && [...expected].some((what) => !read().has(what))) await pause(1_000)
  // A second delivery would be sent now.
  await pause(5_000)
  return read()
}

function judge(told: Arrived, expected: ReadonlySet<string>): void {
  const lost = [...expected].filter((what) => !told.has(what))
  const twice = [...told].filter(([, deliveries]) => deliveries.size > 1).map(([what]) => what)
  const unasked = [...told.keys()].filter((what) => !expected.has(what))
  for (const [name, list] of Object.entries({ lost, twice, unasked })) {
    for (const what of list.slice(0, 10)) console.error(`  ${name}: ${what}`)
  }
  check(`each of ${expected.size} changes and moments sent its webhook (${lost.length} lost)`, lost.length === 0)
  check(`each sent it once (${twice.length} twice)`, twice.length === 0)
  check(`nothing else was sent (${unasked.length})`, unasked.length === 0)
}

process.exit(
  await runTrial<Site>({
    what: `The service is upgraded from ${commit} to the code of this folder under load, and back (7 minutes)`,
    stop: listenForStop(),
    maxMs,
    open: openSite,
    run,
    isWrong: () => checks.length === 0 || checks.some(([, isSo]) => !isSo),
    report: () =>
      table(
        ['what', 'so'],
        checks.map(([what, isSo]) => [what, isSo ? 'yes' : 'NO']),
      ),
  }),
)
