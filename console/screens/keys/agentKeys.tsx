import { useRef, useState } from 'react'
import type { ListedApiKey } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { useAgentNames } from '../../parts/useAgentNames.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { EditGuardrails } from './editGuardrails.tsx'
import { guardrailWords } from './guardrailWords.ts'
import { NewAgentKey } from './newAgentKey.tsx'
import { RevokeKey } from './revokeKey.tsx'

export function AgentKeys() {
  const { data, error, refetch } = useRead(['list', 'key', 'use'], (options) =>
    service.keys.list({ ...options, include_use: true }),
  )
  const nameOf = useAgentNames(data?.keys.map(({ agent_id }) => agent_id) ?? [])
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<{ kind: 'edit' | 'revoke'; key: ListedApiKey } | undefined>()
  const close = () => setOpened(undefined)
  return (
    <section className="part">
      <div className="head">
        <h2>{texts.agentKeys}</h2>
        <DialogButton ref={button} label={texts.newAgentKey}>
          {(close) => <NewAgentKey close={close} />}
        </DialogButton>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.agentKeys}
          rows={data.keys}
          idOf={({ id }) => id}
          nameOf={({ key_prefix }) => key_prefix}
          columns={[
            { head: texts.prefix, cell: ({ key_prefix }) => <code>{key_prefix}</code> },
            { head: texts.label, cell: ({ label }) => label },
            { head: texts.agent, cell: ({ agent_id }) => <A to={`/agents/${agent_id}`}>{nameOf(agent_id)}</A> },
            {
              head: texts.guardrails,
              cell: ({ guardrails }) => guardrailWords(guardrails).join(', ') || texts.noGuardrails,
              isMinor: true,
            },
            {
              head: texts.lastUse,
              cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : texts.never),
              isMinor: true,
            },
          ]}
          actions={(key) => [
            { label: texts.editGuardrails, run: () => setOpened({ kind: 'edit', key }) },
            { label: texts.revoke, run: () => setOpened({ kind: 'revoke', key }), isDangerous: true },
          ]}
          empty={<Empty things={texts.agentKeys} hint={texts.hints.agentKeys} button={button} />}
        />
      )}
      {opened?.kind === 'edit' && (
        <Dialog title={texts.editGuardrails} close={close}>
          <EditGuardrails apiKey={opened.key} close={close} />
        </Dialog>
      )}
      {opened?.kind === 'revoke' && (
        <Dialog title={texts.revoke} role="alertdialog" close={close}>
          <RevokeKey
            prefix={opened.key.key_prefix}
            noun="key"
            revoke={(sent) => service.keys.revoke(opened.key.id, sent)}
            close={close}
          />
        </Dialog>
      )}
    </section>
  )
}
