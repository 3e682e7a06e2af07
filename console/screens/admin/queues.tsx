import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Table } from '../../parts/table.tsx'
import { service } from '../../service/service.ts'
import { texts } from '../../texts.ts'
import { useAdminRead } from './useAdminRead.ts'

const everyMs = 10_000

export function Queues() {
  const { data, error, refetch } = useAdminRead(
    ['list', 'queue'],
    (options) => service.administration.listQueues(options),
    { everyMs },
  )
  return (
    <Screen heading={texts.admin.queues}>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.admin.queues}
          rows={data.queues}
          idOf={({ name }) => name}
          columns={[
            { head: texts.admin.queue, cell: ({ name }) => name },
            { head: texts.admin.waiting, cell: ({ waiting }) => waiting, isNumber: true },
            { head: texts.admin.active, cell: ({ active }) => active, isNumber: true },
            { head: texts.admin.delayed, cell: ({ delayed }) => delayed, isNumber: true },
            { head: texts.admin.failed, cell: ({ failed }) => failed, isNumber: true },
            { head: texts.admin.oldest, cell: ({ oldest_seconds }) => Math.round(oldest_seconds), isNumber: true },
          ]}
        />
      )}
      <p className="actions after">
        <a href="/admin/queues">{texts.admin.board}</a>
      </p>
    </Screen>
  )
}
