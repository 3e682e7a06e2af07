import { Screen } from '../../parts/screen.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { texts } from '../../texts.ts'
import { AuditLog } from './auditLog.tsx'
import { RefusedRequests } from './refusedRequests.tsx'

/** The other log has other filters; who and when are of both. */
const ofOneLog = { action: undefined, actor_key_prefix: undefined, agent_id: undefined, resource: undefined }
const ofTheOther = { status: undefined, code: undefined, key_prefix: undefined }

export function Logs() {
  const filters = useFilters()
  return (
    <Screen heading={texts.logs}>
      <Tabs
        label={texts.logs}
        open={filters.values.tab}
        choose={(tab) => filters.set({ ...ofOneLog, ...ofTheOther, tab })}
        tabs={[
          { id: 'audit', label: texts.auditLog, content: () => <AuditLog filters={filters} /> },
          { id: 'refused', label: texts.refusedRequests, content: () => <RefusedRequests filters={filters} /> },
        ]}
      />
    </Screen>
  )
}
