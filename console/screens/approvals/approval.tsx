import { useParams } from '@tanstack/react-router'
import type { Approval as Record } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Allowed } from '../../parts/allowed.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { word } from '../../parts/times.ts'
import { Unread } from '../../parts/unread.tsx'
import { useAgentNames } from '../../parts/useAgentNames.ts'
import { useForm } from '../../parts/useForm.ts'
import { Value } from '../../parts/value.tsx'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { type Decision, decide, hopedStatuses, refusalOfApproved } from './decide.ts'

export function Approval() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useRead(['one', 'approval', id], (options) => service.approvals.get(id, options))
  const nameOfAgent = useAgentNames(data ? [data.agent_id] : [])
  const hoped = useStore(hopedStatuses)[id]
  if (!data) return <Unread error={error} again={refetch} />
  const refusal = refusalOfApproved(data)
  return (
    <Screen heading={data.summary}>
      <p role="status">
        <State of={hoped ?? data.status} />
      </p>
      {refusal && <Refused error={refusal} />}
      <Facts>
        <Fact name={texts.agent}>
          <A to={`/agents/${data.agent_id}`}>{nameOfAgent(data.agent_id)}</A>
        </Fact>
        <Fact name={texts.key}>
          <code>{data.key_prefix}</code>
        </Fact>
        <Fact name={texts.action}>{data.action}</Fact>
        <Fact name={texts.askedAt}>
          <Moment at={data.created_at} />
        </Fact>
        <Fact name={data.decided_at ? texts.decidedAt : texts.openUntil}>
          <Moment at={data.decided_at ?? data.expires_at} />
        </Fact>
        {data.reason !== null && <Fact name={texts.reason}>{data.reason}</Fact>}
      </Facts>
      <Changes of={data} />
      {data.status === 'pending' && (
        <Allowed>
          <Decide id={id} isDecided={hoped !== undefined} />
        </Allowed>
      )}
    </Screen>
  )
}

const Changes = ({ of: { changes } }: { of: Record }) => (
  <section className="part">
    <h2>{texts.whatChanges}</h2>
    <Table
      label={texts.whatChanges}
      rows={changes}
      idOf={({ field }) => field}
      columns={[
        { head: texts.field, cell: ({ field }) => word(field) },
        { head: texts.before, cell: ({ before }) => <Value of={before} /> },
        { head: texts.after, cell: ({ after }) => <Value of={after} /> },
      ]}
    />
  </section>
)

function Decide({ id, isDecided }: { id: string; isDecided: boolean }) {
  const form = useForm(`approval:${id}`, { reason: '' })
  const act = useAct((decision: Decision, sent) => decide(id, decision, form.values.reason, sent), form.forget)
  return (
    <section className="part card">
      <Form
        form={form}
        submit={texts.approve}
        act={act}
        send={() => act.send('approve')}
        isBlocked={isDecided}
        actions={
          <button type="button" className="quiet" disabled={isDecided} onClick={() => act.send('reject')}>
            {texts.reject}
          </button>
        }
      >
        <Input name="reason" label={texts.reason} hint={texts.reasonHint} />
      </Form>
    </section>
  )
}
