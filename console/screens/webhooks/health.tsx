import type { WebhookHealth } from '../../../clients/typescript/src/entry.ts'
import { Radios } from '../../parts/fields.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { word } from '../../parts/times.ts'
import { useFilters } from '../../parts/useFilters.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { Chart } from './chart.tsx'
import { stateOf } from './state.ts'

const windows = [
  { value: '1h', label: texts.oneHour },
  { value: '24h', label: texts.oneDay },
  { value: '7d', label: texts.sevenDays },
] as const

export function Health({ id }: { id: string }) {
  const filters = useFilters()
  const window = (filters.values.window ?? '24h') as (typeof windows)[number]['value']
  const { data, error, refetch } = useRead(['one', 'health', id, window], (options) =>
    service.webhooks.getHealth(id, { ...options, window }),
  )
  const series = useRead(['one', 'health-series', id, window], (options) =>
    service.webhooks.getHealthSeries(id, { ...options, window }),
  )
  return (
    <div className="stack">
      <Radios label={texts.window} options={windows} value={window} choose={(window) => filters.set({ window })} />
      {error && <Refused error={error} again={refetch} />}
      {series.data && <Chart points={series.data.points} />}
      {data && (
        <Table
          label={texts.health}
          rows={[
            [texts.status, <State key="" of={shownState(data)} />],
            [texts.attempts, data.attempts],
            [texts.delivered, data.delivered],
            [texts.failed, data.failed],
            ...Object.entries(data.by_outcome)
              .filter(([outcome]) => outcome !== 'delivered')
              .map(([outcome, count]) => [word(outcome), count] as const),
            [texts.median, data.p50_ms ?? '–'],
            [texts.slowest, data.p95_ms ?? '–'],
            [texts.waiting, data.pending],
            [texts.oldestWaiting, data.oldest_pending_at ? <Moment key="" at={data.oldest_pending_at} /> : '–'],
            [texts.lastSuccess, data.last_success_at ? <Moment key="" at={data.last_success_at} /> : '–'],
            [texts.failuresInARow, data.consecutive_failures],
            [texts.offAt, data.disables_at],
          ]}
          idOf={([name]) => String(name)}
          columns={[
            { head: texts.field, cell: ([name]) => name },
            { head: texts.value, cell: ([, value]) => value, isNumber: true },
          ]}
        />
      )}
    </div>
  )
}

/** As the head of the screen says it. */
const shownState = ({ state, consecutive_failures }: WebhookHealth) =>
  state === 'failing' ? state : stateOf({ active: state !== 'disabled', consecutiveFailures: consecutive_failures })
