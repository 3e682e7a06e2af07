// The network between the processes and Postgres fails; Postgres itself runs on.
import { setTimeout as pause } from 'node:timers/promises'
import type { Findings } from './findings.ts'
import { openProxy, type Way } from './proxy.ts'
import { replace } from './replace.ts'
import type { World } from './world.ts'

export async function resetConnections(world: World, findings: Findings): Promise<void> {
  const direct = world.env.DATABASE_URL!
  const proxy = await openProxy(direct)
  await reach(world, proxy.url, findings)
  await breakUp(proxy)
  await reach(world, direct, findings)
  proxy.close()
}

async function breakUp(proxy: Way) {
  for (let nth = 0; nth < 12; nth++) {
    await proxy.reset()
    await pause(400)
  }
  for (let nth = 0; nth < 4; nth++) {
    proxy.halfClose()
    await pause(750)
  }
  await proxy.holdBack(3_000)
  await pause(2_000)
  await proxy.holdBack(6_500)
  await pause(2_000)
  // The answers that were held back arrive in part, or never.
  await Promise.all([proxy.holdBack(6_000), pause(5_950).then(() => proxy.reset())])
}

/** Replaces every process by one that finds Postgres at `url`; one of each kind always serves. */
async function reach(world: World, url: string, findings: Findings) {
  world.env.DATABASE_URL = url
  for (const [nth, api] of world.apis.entries()) {
    const both = [api, ...world.workers.slice(nth, nth === 0 ? 1 : undefined)]
    await Promise.all(
      both.map(async (process) => {
        await replace(process, findings)
        await process.ready()
      }),
    )
  }
}
