import { useRef, useState } from 'react'
import type { OrganizationKeyRecord } from '../../../clients/typescript/src/entry.ts'
import { Dialog, DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Table } from '../../parts/table.tsx'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { EditOrganizationKey } from './editOrganizationKey.tsx'
import { NewOrganizationKey } from './newOrganizationKey.tsx'
import { ReplaceKey } from './replaceKey.tsx'
import { RevokeKey } from './revokeKey.tsx'

type Opened = { kind: 'edit' | 'rotate' | 'revoke'; key: OrganizationKeyRecord }

/** Keys with a name, one for each program of the organization. */
export function OrganizationKeys() {
  const { data, error, refetch } = useRead(['list', 'organization_key'], (options) =>
    service.organizationKey.list(options),
  )
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <section className="part">
      <div className="head">
        <h2>{texts.organizationKeys}</h2>
        <DialogButton ref={button} label={texts.newOrganizationKey} least="admin">
          {(close) => <NewOrganizationKey close={close} />}
        </DialogButton>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <Table
          label={texts.organizationKeys}
          rows={data.keys.filter(({ primary }) => !primary)}
          idOf={({ id }) => id}
          nameOf={nameOf}
          least="admin"
          columns={[
            { head: texts.name, cell: nameOf },
            { head: texts.prefix, cell: ({ key_prefix }) => <code>{key_prefix}</code> },
            { head: texts.scope, cell: ({ scope }) => texts.keyScopes[scope] },
            {
              head: texts.allowedAddresses,
              cell: ({ allowed_ips }) => allowed_ips?.join(', ') ?? texts.all,
              isMinor: true,
            },
            {
              head: texts.lastUse,
              cell: ({ last_used_at }) => (last_used_at ? <Moment at={last_used_at} /> : texts.never),
              isMinor: true,
            },
            {
              head: texts.endsAt,
              cell: ({ expires_at }) => (expires_at ? <Moment at={expires_at} /> : texts.never),
              isMinor: true,
            },
          ]}
          actions={(key) => [
            { label: texts.edit, run: () => setOpened({ kind: 'edit', key }) },
            ...(key.replaced_by ? [] : [{ label: texts.rotate, run: () => setOpened({ kind: 'rotate', key }) }]),
            { label: texts.revoke, run: () => setOpened({ kind: 'revoke', key }), isDangerous: true },
          ]}
          empty={
            <Empty things={texts.organizationKeys} hint={texts.hints.organizationKeys} button={button} least="admin" />
          }
        />
      )}
      {opened?.kind === 'edit' && (
        <Dialog title={texts.edit} close={close}>
          <EditOrganizationKey apiKey={opened.key} close={close} />
        </Dialog>
      )}
      {opened?.kind === 'rotate' && (
        <Dialog title={texts.rotate} close={close}>
          <ReplaceKey
            prefix={opened.key.key_prefix}
            replace={(overlap_seconds, sent) =>
              service.organizationKey.rotate(opened.key.id, { overlap_seconds }, sent)
            }
            close={close}
          />
        </Dialog>
      )}
      {opened?.kind === 'revoke' && (
        <Dialog title={texts.revoke} role="alertdialog" close={close}>
          <RevokeKey
            prefix={opened.key.key_prefix}
            noun="organization_key"
            revoke={(sent) => service.organizationKey.revoke(opened.key.id, sent)}
            close={close}
          />
        </Dialog>
      )}
    </section>
  )
}

const nameOf = ({ name, key_prefix }: OrganizationKeyRecord): string => name ?? key_prefix
