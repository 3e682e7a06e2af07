import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Menu } from '../parts/menu.tsx'
import { openOrganization } from '../service/openOrganization.ts'
import { service } from '../service/service.ts'
import { session } from '../service/session.ts'
import { useRead } from '../service/useRead.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { NewOrganization } from './newOrganization.tsx'

/** The organizations of the account. The chosen one is that of this tab alone. */
export function Switcher({ name }: { name: string }) {
  const [isAsked, setIsAsked] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const current = useStore(session).me?.org.id
  const { data } = useRead(['list', 'membership'], (options) => service.members.listMemberships(options), {
    enabled: isAsked,
  })
  return (
    <div className="switcher">
      <Menu
        label={texts.organizationNamed(name)}
        opened={() => setIsAsked(true)}
        items={[
          ...(data?.data ?? []).map(({ org }) => ({
            label: org.name,
            run: () => openOrganization(org.id),
            isCurrent: org.id === current,
          })),
          { label: texts.newOrganization, run: () => setIsOpen(true) },
        ]}
      >
        <span>{name}</span>
      </Menu>
      {isOpen && (
        <Dialog title={texts.newOrganization} close={() => setIsOpen(false)}>
          <NewOrganization close={() => setIsOpen(false)} />
        </Dialog>
      )}
    </div>
  )
}
