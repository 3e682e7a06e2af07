// Commands about the calendar files that are read.
import { failingSubscriptions } from '../../src/imports/queries.ts'
import { isoTimeOrNull } from '../../src/shapes/datetimes.ts'
import { encodeId } from '../../src/shapes/ids.ts'
import { type Command, numberOption } from './command.ts'
import { table } from './text.ts'

export const feedCommands: readonly Command[] = [
  {
    name: 'feeds failing',
    what: 'Lists the iCal subscriptions whose last read failed, the longest unread first.',
    options: { limit: { what: 'at most this many (20)', takes: 'n' } },
    async run({ app }, given) {
      const found = await failingSubscriptions(app.sql, numberOption(given, 'limit', 20, 10_000))
      const list = found.map((row) => ({
        id: encodeId('ics', row.id),
        org_id: encodeId('org', row.orgId),
        agent_id: encodeId('agt', row.agentId),
        last_synced_at: isoTimeOrNull(row.lastSyncedAt),
        last_error: row.lastError,
      }))
      const rows = list.map((one) => [one.last_synced_at ?? 'never', one.id, one.agent_id, one.org_id, one.last_error])
      return { json: list, text: table(['last read', 'subscription', 'agent', 'organization', 'error'], rows) }
    },
  },
]
