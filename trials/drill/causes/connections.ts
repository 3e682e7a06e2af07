// Calendars of humans that are not read. The connections are rows alone: the drill is configured for no provider, so no account is
// asked, and each read of them fails.
import { decodeId } from '../../../src/shapes/ids.ts'
import { restartAll } from '../../world/supervise.ts'
import type { Cause } from '../cause.ts'
import type { Site } from '../site.ts'

const many = 24

/** Of one organization. `isDue`: they are read at once, and not for a day otherwise. */
async function connect({ sql, calendarIds }: Site, count: number, isDue: boolean) {
  await sql`
    insert into calendar_connections (
      org_id, id, provider, account_digest, credentials_sealed, capabilities, status, timezone, next_read_at, listed_at,
      last_authenticated_at, created_at)
    select c.org_id, gen_random_uuid(), 'google', gen_random_uuid()::text::bytea, '', '{availability}', 'active', 'UTC',
      now() + ${isDue ? 0 : 1}::integer * interval '1 day', now(), now(), now()
    from calendars c, generate_series(1, ${count}::integer)
    where c.id = ${decodeId('cal', calendarIds[0]!)!}`
}

const disconnectAll = async ({ sql }: Site) => {
  await sql`delete from connection_channels`
  await sql`delete from calendar_connections`
}

export const connectionCauses: readonly Cause[] = [
  {
    what: 'no worker serves connections, and a connection is due',
    alerts: ['ExternalReadsBehind', 'NoWorker connections'],
    async cause(site) {
      await restartAll(site.workers, { WORKER_POOLS: 'timers,deliveries,ical,publishing,mail,upkeep' })
      await connect(site, 1, true)
    },
    relieve: ({ workers }) => restartAll(workers),
    tidy: disconnectAll,
  },
  {
    what: `the provider of ${many} connections cannot be asked`,
    alerts: ['ProviderFails'],
    cause: (site) => connect(site, many, true),
    relieve: disconnectAll,
  },
  {
    what: `the accounts of ${many} connections are refused`,
    alerts: ['ConnectionsAskForConsent'],
    async cause(site) {
      await connect(site, many, false)
      await site.sql`
        update calendar_connections
        set status = 'reauthorization_required', reauthorization_reason = 'grant_revoked', next_read_at = null,
          broken_at = now()`
    },
    relieve: disconnectAll,
  },
  {
    what: `nobody renews ${many} channels`,
    alerts: ['ChannelsDie'],
    async cause(site) {
      await connect(site, many, false)
      await site.sql`
        insert into connection_channels (
          org_id, id, connection_id, external_calendar_id, token_digest, resource_sealed, renew_at, expires_at, created_at)
        select org_id, id, id, id, '', '', now() - interval '1 hour', now() + interval '1 hour', now()
        from calendar_connections`
    },
    relieve: disconnectAll,
  },
]
