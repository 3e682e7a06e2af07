// The service under test, whole and real: durable stores, two API processes, two workers, eighty organizations, and a
// receiver of their webhooks.
import { type Installation, type InstallationOptions, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { openReceiver, type Receiver } from './arrivals.ts'
import { type Client, openClient } from './client.ts'
import { type Following, openFollowing } from './follow.ts'
import { type Freezer, openFreezer } from './freeze.ts'
import { openOwners } from './identity.ts'
import type { Kind } from './kind.ts'
import { openKinds } from './kinds.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { makeTenants, type Tenant } from './tenants.ts'

export type World = Installation &
  Closable & {
    client: Client
    ledger: Ledger
    receiver: Receiver
    freezer: Freezer
    tenants: readonly Tenant[]
    following: Following
    kinds: readonly Kind[]
  }

const tenantCount = 80
/** The busy one and a quiet one. */
const followedCount = 2

const env = {
  // The client acts as the balancer: it says which address asks.
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
}

/** `options`: differences from the usual installation. */
export const openWorld = (options: InstallationOptions = {}): Promise<World> =>
  openAll('faults', async (opened) => {
    const usual = { apis: 2, workers: 2, durable: true, env }
    const installation = await openInstallation(opened, { ...usual, ...options })
    const receiver = await openReceiver()
    opened.onClose(() => receiver.close())
    const client = openClient(installation.baseUrls, openOwners())
    const { adminToken } = installation
    const tenants = await makeTenants({ client, adminToken, hookUrl: receiver.url }, tenantCount)
    const freezer = openFreezer()
    opened.onClose(() => freezer.close())
    const following = openFollowing(tenants.slice(0, followedCount))
    const ledger = openLedger()
    for (const { orgId, secret } of tenants) {
      ledger.hooks.secrets.set(orgId, { all: [{ secret, knownAt: 0 }], isChanging: false })
    }
    const kinds = openKinds({ client, tenants, withSql: installation.withSql })
    return { ...installation, client, ledger, receiver, freezer, tenants, following, kinds }
  })
