import { useState } from 'react'
import type { CurrentSession, Member } from '../../../clients/typescript/src/entry.ts'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/useFilters.ts'
import { isAtLeast } from '../../service/roles.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { ChangeRole } from './changeRole.tsx'
import { InviteMember } from './inviteMember.tsx'
import { Leave } from './leave.tsx'
import { RemoveMember } from './removeMember.tsx'

type Opened = { kind: 'role' | 'remove'; member: Member }

export function Members({ me }: { me: CurrentSession }) {
  const filters = useFilters()
  const { offset } = filters
  const { data, error, refetch } = useRead(['list', 'member', { offset }], (options) =>
    service.members.list({ ...options, offset, limit: pageSize }),
  )
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const seesFactors = isAtLeast(me.member.role, 'admin')
  return (
    <section className="part">
      <div className="head">
        <h2>{texts.members}</h2>
        <div className="actions">
          <DialogButton label={texts.inviteMember} least="admin">
            {(close) => <InviteMember own={me.member.role} close={close} />}
          </DialogButton>
          <DialogButton label={texts.leaveOrganization} least="viewer" className="quiet dangerous" alert>
            {(close) => <Leave name={me.org.name} close={close} />}
          </DialogButton>
        </div>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.members}
            rows={data.data}
            idOf={({ id }) => id}
            nameOf={({ email }) => email}
            least="admin"
            columns={[
              {
                head: texts.address,
                cell: ({ email, you }) => (
                  <>
                    {email} {you && <strong>({texts.you})</strong>}
                  </>
                ),
              },
              { head: texts.role, cell: ({ role }) => texts.roles[role] },
              { head: texts.joined, cell: ({ joined_at }) => <Moment at={joined_at} />, isMinor: true },
              ...(seesFactors
                ? [
                    {
                      head: texts.secondFactor,
                      cell: ({ second_factor }: Member) => (second_factor ? texts.yes : texts.no),
                      isMinor: true,
                    },
                  ]
                : []),
            ]}
            // Members leave roles above their own alone.
            actions={(member) =>
              isAtLeast(me.member.role, member.role)
                ? [
                    { label: texts.changeRole, run: () => setOpened({ kind: 'role', member }) },
                    ...(member.you
                      ? []
                      : [
                          {
                            label: texts.removeMember,
                            run: () => setOpened({ kind: 'remove', member }),
                            isDangerous: true,
                          },
                        ]),
                  ]
                : []
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
      {opened?.kind === 'role' && (
        <Dialog title={texts.changeRole} close={close}>
          <ChangeRole member={opened.member} own={me.member.role} close={close} />
        </Dialog>
      )}
      {opened?.kind === 'remove' && (
        <Dialog title={texts.removeMember} role="alertdialog" close={close}>
          <RemoveMember member={opened.member} close={close} />
        </Dialog>
      )}
    </section>
  )
}
