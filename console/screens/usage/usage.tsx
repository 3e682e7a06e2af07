import type { Plan, Usage as Record } from '../../../clients/typescript/src/entry.ts'
import { Outward } from '../../parts/a.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Table } from '../../parts/table.tsx'
import { day } from '../../parts/times.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { outlook } from './forecast.ts'

const names = Object.keys(texts.limits) as (keyof typeof texts.limits)[]
const monthly = new Set<string>(['events', 'api_calls', 'webhooks', 'availability_queries', 'proposals'])
const number = new Intl.NumberFormat('en-GB')

export function Usage() {
  const usage = useRead(['one', 'usage'], (options) => service.usage.get(options), { fresh: true })
  const plans = useRead(['list', 'plan'], (options) => service.plans.list(options))
  return (
    <Screen heading={texts.usage}>
      {usage.error && <Refused error={usage.error} again={usage.refetch} />}
      {usage.data && <Limits usage={usage.data} />}
      <section className="part">
        <h2>{texts.plans}</h2>
        {plans.error && <Refused error={plans.error} again={plans.refetch} />}
        {plans.data && <Plans plans={plans.data.plans} mine={usage.data?.plan} />}
      </section>
    </Screen>
  )
}

function Limits({ usage }: { usage: Record }) {
  const now = Date.now()
  const { timezone } = settings.get()
  const rows = names
    .filter((name) => name in usage)
    .map((name) => ({ name, ...usage[name], ...outlook(usage[name], usage, now, monthly.has(name)) }))
  return (
    <Table
      label={texts.limitsTable}
      rows={rows}
      idOf={({ name }) => name}
      columns={[
        { head: texts.limit, cell: ({ name }) => texts.limits[name] },
        { head: texts.used, cell: ({ used }) => number.format(used), isNumber: true },
        {
          head: texts.allowed,
          cell: ({ limit }) => (limit === null ? texts.unlimited : number.format(limit)),
          isNumber: true,
        },
        {
          head: texts.forecast,
          cell: ({ forecast }) => (forecast === undefined ? '' : number.format(forecast)),
          isNumber: true,
          isMinor: true,
        },
        {
          head: texts.outlook,
          cell: ({ limit, isNear, overOn }) => (
            <span className="stack tight">
              {limit === 0 && <span className="muted">{texts.notInPlan}</span>}
              {isNear && <span className="state bad">{texts.nearLimit}</span>}
              {overOn && <span className="state bad">{texts.overOn(day(overOn, timezone))}</span>}
            </span>
          ),
        },
      ]}
    />
  )
}

const Plans = ({ plans, mine }: { plans: readonly Plan[]; mine: string | undefined }) => (
  <Table
    label={texts.plans}
    rows={plans}
    idOf={({ id }) => id}
    columns={[
      {
        head: texts.plan,
        cell: ({ id, name }) => (
          <>
            {name} {id === mine && <span className="state good">{texts.yours}</span>}
          </>
        ),
      },
      { head: texts.price, cell: priceOf },
      {
        head: texts.has,
        cell: ({ display_features, contact_url }) => (
          <>
            {display_features.join(' · ')} {contact_url && <Outward href={contact_url}>{texts.contact}</Outward>}
          </>
        ),
      },
    ]}
  />
)

const priceOf = ({ price, currency }: Plan) =>
  price === null || currency === null
    ? texts.agreed
    : new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(price / 100)
