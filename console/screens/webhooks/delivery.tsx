import { useParams } from '@tanstack/react-router'
import { A } from '../../parts/a.tsx'
import { Allowed } from '../../parts/allowed.tsx'
import { CopyButton } from '../../parts/copyButton.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { word } from '../../parts/times.ts'
import { Unread } from '../../parts/unread.tsx'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { resend } from './resend.ts'

export function Delivery() {
  const { id, whd } = useParams({ strict: false }) as { id: string; whd: string }
  const { data, error, refetch } = useRead(['one', 'delivery', whd], (options) =>
    service.webhooks.getDelivery(id, whd, options),
  )
  if (!data) return <Unread error={error} again={refetch} />
  const payload = data.payload && JSON.stringify(data.payload, null, 2)
  return (
    <Screen
      heading={data.event_type}
      actions={
        <>
          <Allowed>
            <button type="button" onClick={() => resend(id, whd)}>
              {texts.resend}
            </button>
          </Allowed>
          {payload && <CopyButton text={payload} label={texts.delivery.copyPayload} />}
        </>
      }
    >
      <p className="actions">
        <State of={data.status} /> <code>{whd}</code> <A to={`/webhooks/${id}`}>{texts.delivery.itsWebhook}</A>
      </p>
      <section className="part">
        <h2>{texts.attempts}</h2>
        <Table
          label={texts.attempts}
          rows={data.attempt_log}
          idOf={({ at }) => at}
          columns={[
            { head: texts.time, cell: ({ at }) => <Moment at={at} /> },
            { head: texts.outcome, cell: ({ outcome }) => word(outcome) },
            { head: texts.status, cell: ({ http_status }) => http_status },
            { head: texts.milliseconds, cell: ({ duration_ms }) => duration_ms, isNumber: true },
            {
              head: texts.delivery.answer,
              cell: ({ body_start }) => body_start && <code className="answer">{body_start}</code>,
            },
          ]}
          empty={<Empty things={texts.attempts} hint={texts.hints.attempts} />}
        />
      </section>
      {data.request_headers && (
        <section aria-labelledby="headers" className="part">
          <h2 id="headers">{texts.delivery.headers}</h2>
          <Facts>
            {Object.entries(data.request_headers).map(([name, value]) => (
              <Fact key={name} name={name}>
                <code>{value}</code>
              </Fact>
            ))}
          </Facts>
        </section>
      )}
      {payload && (
        <section aria-labelledby="payload" className="part">
          <h2 id="payload">{texts.delivery.payload}</h2>
          <pre>{payload}</pre>
        </section>
      )}
    </Screen>
  )
}
