import type { Invitation } from '../../../clients/typescript/src/entry.ts'
import { Allowed } from '../../parts/allowed.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { actAtOnce } from '../../service/actAtOnce.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'

export const Invitations = () => (
  <Allowed least="admin">
    <InvitationsOfAll />
  </Allowed>
)

/** The newest ones; older ones that have ended are of no use here. */
const limit = 100

function InvitationsOfAll() {
  const { data, error, refetch } = useRead(['list', 'invitation'], (options) =>
    service.invitations.list({ ...options, limit }),
  )
  return (
    <section className="part">
      <h2>{texts.invitations}</h2>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.invitations}
          rows={data.data}
          idOf={({ id }) => id}
          nameOf={({ email }) => email}
          least="admin"
          columns={[
            { head: texts.address, cell: ({ email }) => email },
            { head: texts.role, cell: ({ role }) => texts.roles[role] },
            { head: texts.status, cell: ({ status }) => <State of={status} /> },
            { head: texts.invitedBy, cell: ({ invited_by }) => invited_by, isMinor: true },
            { head: texts.endsAt, cell: ({ expires_at }) => <Moment at={expires_at} />, isMinor: true },
          ]}
          actions={actionsOf}
          empty={<Empty things={texts.invitations} hint={texts.hints.invitations} />}
        />
      )}
    </section>
  )
}

function actionsOf({ id, status }: Invitation): MenuItem[] {
  const resend = {
    label: texts.resend,
    run: () => actAtOnce(() => service.invitations.resend(id), texts.invitationSent, 'invitation'),
  }
  const revoke = {
    label: texts.revoke,
    run: () => actAtOnce(() => service.invitations.revoke(id), texts.invitationRevoked, 'invitation'),
    isDangerous: true,
  }
  if (status === 'pending') return [resend, revoke]
  return status === 'expired' ? [resend] : []
}
