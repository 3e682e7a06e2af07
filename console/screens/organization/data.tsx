import type { CurrentSession } from '../../../clients/typescript/src/entry.ts'
import { Allowed } from '../../parts/allowed.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Refused } from '../../parts/refused.tsx'
import { saveFile } from '../../parts/saveFile.ts'
import { service } from '../../service/service.ts'
import { endHere } from '../../service/signOut.ts'
import { useAct } from '../../service/useAct.ts'
import { texts } from '../../texts.ts'

export const Data = ({ me }: { me: CurrentSession }) => (
  <Allowed least="admin">
    <section aria-labelledby="data" className="part">
      <h2 id="data">{texts.data}</h2>
      <div className="card stack">
        <p className="hint">{texts.exportHint}</p>
        <Export name={me.org.name} />
      </div>
    </section>
  </Allowed>
)

function Export({ name }: { name: string }) {
  const act = useAct<void, unknown>(
    () => service.accounts.export(),
    (data) => saveFile('export.json', JSON.stringify(data, null, 2)),
  )
  return (
    <>
      {act.error !== undefined && <Refused error={act.error} again={act.again} />}
      <div className="actions">
        <button type="button" className="quiet" onClick={() => act.send()}>
          {texts.exportData}
        </button>
        <DialogButton label={texts.deleteOrganization} least="owner" className="quiet dangerous" alert>
          {(close) => <Delete name={name} close={close} />}
        </DialogButton>
      </div>
    </>
  )
}

function Delete({ name, close }: { name: string; close: () => void }) {
  const act = useAct<void, unknown>((_, sent) => service.organizations.delete({ ...sent, confirm: name }), endHere)
  return (
    <Confirm label={texts.deleteOrganization} typed={name} act={act} close={close}>
      <p>{texts.deleteOrganizationHint}</p>
    </Confirm>
  )
}
