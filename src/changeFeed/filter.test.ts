import assert from 'node:assert/strict'
import { newId, type Uuid } from '../shapes/ids.ts'
import { rowsOf } from '../stores/sql.ts'
import { serviceTest } from '../testing/test.ts'
import { type Filter, type Head, matches } from './filter.ts'
import { matching } from './queries.ts'

const test = serviceTest()

const [calendar, other, agent, stranger] = Array.from({ length: 4 }, newId) as [Uuid, Uuid, Uuid, Uuid]

const heads: Head[] = [
  'event.created',
  'calendar.deleted',
  'agent.updated',
  'proposal.created',
  'webhook.deactivated',
  'hold_group.created',
  'approval.requested',
].flatMap((type) =>
  [calendar, other, null].flatMap((calendarId) =>
    [agent, stranger, null].map((agentId) => ({ type, calendarId, agentId })),
  ),
)

const lists = <T>(...some: T[][]): (T[] | undefined)[] => [undefined, ...some]
const filters: Filter[] = lists(['event.created'], ['proposal.created', 'agent.updated']).flatMap((types) =>
  lists([calendar], [calendar, other]).flatMap((calendarIds) =>
    lists([agent], [agent, stranger]).flatMap((agentIds) =>
      [undefined, agent].flatMap((only) =>
        lists([other]).map((listed) => ({ types, calendarIds, agentIds, only, listed })),
      ),
    ),
  ),
)

test('Postgres and a look decide alike what a reader gets', async ({ service }) => {
  const { sql } = service.app
  for (const filter of filters) {
    const rows = await sql<Head[]>`
      select type, calendar_id, agent_id
      from ${rowsOf(sql, heads, { type: 'text', calendarId: 'uuid', agentId: 'uuid' }, 'entries')}
      where ${matching(sql, filter)}`
    const expected = heads.filter((head) => matches(filter, head))
    assert.deepEqual(rows.map(keyOf).sort(), expected.map(keyOf).sort(), JSON.stringify(filter))
  }
})

const keyOf = ({ type, calendarId, agentId }: Head) => [type, calendarId, agentId].join()
