// `npm run trial -- retries [kills]`: API processes are killed and connections cut between a change and its answer, and
// every request is sent again with its Idempotency-Key until it is answered. Each change must have happened once.
import { setTimeout as pause } from 'node:timers/promises'
import { listenForStop } from '../../local/stopSignals.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { openProxy, type Way } from '../faults/proxy.ts'
import { callOf, made, makeOrganization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { table } from '../world/report.ts'
import type { Supervised } from '../world/supervise.ts'
import { runTrial } from '../world/trial.ts'
import {
  checkAnswers,
  checkAudit,
  checkDeliveries,
  checkEvents,
  checkFeed,
  checkKeys,
  checkUsage,
  openDifferences,
} from './check.ts'
import { openLossyClient } from './lossyClient.ts'
import { openTold, play } from './stories.ts'
import { askTwins } from './twins.ts'

const kills = Number(process.argv[2] ?? 1_000)
/** The rest are connections. */
const processKills = Math.ceil(kills / 40)
const apiCount = 4
const clientCount = 16
const calendarCount = 8
const shareLost = 0.2
/** Between two stories of a client. */
const restMs = 300
/** Answers of Postgres are held back for this long around most kills, so that commits in that time are never answered. */
const holdBackMs = 150
const betweenKillsMs = 200

type Site = Installation & Closable & { way: Way; receiver: Receiver }

const differences = openDifferences()
const figures: [string, string | number][] = []
/** Changes that had been made when their answer was lost. */
let replayed = 0

const stop = listenForStop()
process.exit(
  await runTrial<Site>({
    what: `${kills} answers are lost, ${processKills} of them and more by kill -9 of one of ${apiCount} API processes`,
    stop,
    maxMs: 60 * 60_000,
    open: () =>
      openAll('retries', async (opened) => {
        let way: Way | undefined
        const pooler = async (databaseUrl: string) => {
          const opening = await openProxy(databaseUrl)
          way = opening
          return { url: opening.url, stop: opening.close }
        }
        const installation = await openInstallation(opened, { apis: apiCount, workers: 1, durable: true, pooler })
        const receiver = await openReceiver()
        opened.onClose(() => receiver.close())
        return { ...installation, way: way!, receiver }
      }),
    run,
    // A run in which no answer was lost after its change proves nothing.
    isWrong: () => replayed === 0 || Object.values(differences).some((found) => found.length > 0),
    report: () =>
      [
        table(
          ['figure', 'value'],
          figures.map(([name, value]) => [name, String(value)]),
        ),
        ...Object.entries(differences).flatMap(([kind, found]) =>
          found.slice(0, 10).map((one) => `${kind}: ${one.slice(0, 400)}`),
        ),
      ].join('\n'),
  }),
)

async function run(site: Site, stopped: AbortSignal): Promise<void> {
  const { id, key, create } = await makeOrganization(callOf(site.baseUrls[0]), site.adminToken)
  const get = (path: string) => made(callOf(site.baseUrls[0])('GET', path, { key }))
  const calendarIds: string[] = []
  while (calendarIds.length < calendarCount) {
    calendarIds.push((await create('/v1/calendars', { name: 'Calendar', timezone: 'UTC' })).id)
  }
  const agentId = (await create('/v1/agents', { name: 'Agent', type: 'ai' })).id
  const events = ['created', 'updated', 'deleted', 'hold_created', 'hold_confirmed', 'hold_released', 'hold_expired']
  await create('/v1/webhooks', { url: site.receiver.url, events: events.map((type) => `event.${type}`) })
  const begun = (await get('/v1/changes')).cursor
  const since = new Date()

  const told = openTold()
  const client = openLossyClient(
    site.apis.map(({ port }) => port),
    key,
    stopped,
  )
  await askTwins({ client, calendarId: calendarIds[0]!, agentId, told, differences })
  figures.push(['identical requests at once, of each kind', 200])

  let killed = 0
  const cuts = () => client.cuts.request + client.cuts.answer
  const isOver = () => killed >= processKills && killed + cuts() >= kills
  const asking = Array.from({ length: clientCount }, async () => {
    while (!isOver()) {
      await play({ client, calendarIds, agentId, told, shareLost })
      await pause(restMs, undefined, { signal: stopped })
    }
  })
  const killing = async () => {
    for (let round = 0; !isOver() && !stopped.aborted; round++) {
      const victims = site.apis.filter((_, nth) => nth % 2 === round % 2)
      // Every fourth round comes at any moment.
      const holding = round % 4 === 3 ? undefined : site.way.holdBack(holdBackMs)
      if (holding) await pause(holdBackMs / 2)
      await Promise.all(victims.map((victim) => victim.kill()))
      killed += victims.length
      await holding
      await Promise.all(victims.map((victim) => backAgain(victim, stopped)))
      await pause(Math.random() * betweenKillsMs)
    }
  }
  await Promise.all([...asking, killing()])
  const lost = told.asked.filter(({ losses }) => losses > 0)
  replayed = lost.filter(({ reply }) => reply.isReplayed).length
  figures.push(
    ['changes asked for', told.asked.length],
    ['API processes killed', killed],
    ['connections cut after the request', client.cuts.request],
    ['answers lost on their way', client.cuts.answer],
    ['changes whose answer was lost', lost.length],
    ['of them made before', replayed],
  )
  await checkEvents(get, calendarIds, told, differences)
  await checkFeed(get, begun, told, differences)
  await checkAudit(site, decodeId('org', id)!, since, told, differences)
  await checkDeliveries(site, site.receiver, told, differences)
  await checkUsage(get, told, differences)
  await checkKeys(get, 0, differences)
  await checkAnswers(client, told.asked, differences)
  for (const [kind, found] of Object.entries(differences)) figures.push([kind, found.length])
}

/** However long a busy machine takes. */
async function backAgain(victim: Supervised, stopped: AbortSignal): Promise<void> {
  for (let isBack = false; !isBack; stopped.throwIfAborted()) {
    isBack = await victim.ready().then(
      () => true,
      () => false,
    )
  }
}
