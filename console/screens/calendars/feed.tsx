import type { Calendar } from '../../../clients/typescript/src/entry.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copyButton.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

export const Feed = ({ id, name, address }: { id: string; name: string; address: string }) => (
  <div className="card stack">
    <CopyField label={texts.feedAddress} value={address} />
    <p className="hint">{texts.feedHint}</p>
    <div className="actions">
      <DialogButton label={texts.replaceFeed} className="quiet dangerous" alert>
        {(close) => <ReplaceFeed id={id} name={name} close={close} />}
      </DialogButton>
    </div>
  </div>
)

function ReplaceFeed({ id, name, close }: { id: string; name: string; close: () => void }) {
  const act = useAct<void, Calendar>(
    (_, sent) => service.calendars.replaceFeedAddress(id, sent),
    async () => {
      await acted('calendar')
      notify(texts.feedReplaced)
    },
  )
  return (
    <Confirm label={texts.replaceFeed} typed={name} act={act} close={close}>
      <p>{texts.replaceFeedHint}</p>
    </Confirm>
  )
}
