import { useState } from 'react'
import type { Member } from '../../../clients/typescript/src/entry.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

export function RemoveMember({ member: { id, email }, close }: { member: Member; close: () => void }) {
  const [revokesKeys, setRevokesKeys] = useState(false)
  const act = useAct<void, unknown>(
    (_, sent) => service.members.remove(id, { ...sent, ...(revokesKeys && { revoke_keys: true }) }),
    async () => {
      await acted('member', 'invitation', 'key', 'organization_key')
      notify(texts.memberRemoved)
    },
  )
  return (
    <Confirm label={texts.removeMember} typed={email} act={act} close={close}>
      <p>{texts.removeMemberHint}</p>
      <div className="check">
        <input
          id="revoke-keys"
          type="checkbox"
          checked={revokesKeys}
          onChange={(event) => setRevokesKeys(event.target.checked)}
        />
        <label htmlFor="revoke-keys">{texts.revokeTheirKeys}</label>
      </div>
    </Confirm>
  )
}
