// Readers of the change feed that cost more than they need to.
import { type Load, startSteadily } from '../../world/steadily.ts'
import type { Cause } from '../cause.ts'

const entries = 20_000

let reading: Load | undefined

export const changeCauses: readonly Cause[] = [
  {
    what: `a reader asks with one cursor over and over, ${entries.toLocaleString('en')} changes behind`,
    alerts: ['ChangeFeedReadsFar'],
    async cause({ call, key, create, sql }) {
      const { body } = await call('GET', '/v1/changes', { key })
      const agent = await create('/v1/agents', { name: 'Busy', type: 'ai' })
      await sql`
        insert into changes (
          org_id, seq, change_id, position, type, agent_id, resource_id, cause, payload_sealed, created_at)
        select org_id, nextval('changes_seq'), change_id, nth, type, agent_id, resource_id, cause, payload_sealed, created_at
        from (select * from changes where type = 'agent.created' order by change_id desc limit 1) made,
          generate_series(1, ${entries}) nth`
      reading = startSteadily(5, [
        () => call('GET', `/v1/changes?cursor=${body.cursor}&agent_ids=${agent.id}&limit=1`, { key }),
      ])
    },
    relieve: async () => reading?.stop(),
  },
]
