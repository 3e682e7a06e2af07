import { Confirm } from '../../parts/confirm.tsx'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { dropDrafts } from '../../state/drafts.ts'
import { texts } from '../../texts.ts'

/** Afterwards the tab begins anew: in another organization of the account, or at the sign-in. */
export function Leave({ name, close }: { name: string; close: () => void }) {
  const act = useAct<void, unknown>(
    (_, sent) => service.members.remove('me', sent),
    () => {
      dropDrafts()
      location.replace('/console/start')
    },
  )
  return (
    <Confirm label={texts.leaveOrganization} typed={name} act={act} close={close}>
      <p>{texts.leaveHint}</p>
    </Confirm>
  )
}
