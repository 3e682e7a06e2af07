import { Confirm } from '../../parts/confirm.tsx'
import { actAtOnce } from '../../service/actAtOnce.ts'
import { forget } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Props = { id: string; account: string; close: () => void; done?: () => unknown }

export function Disconnect({ id, account, close, done }: Props) {
  const act = useAct<void, unknown>(
    (_, sent) => service.connections.delete(id, sent),
    async () => {
      notify(texts.disconnected)
      await done?.()
      await forget('connection', id)
    },
  )
  return (
    <Confirm label={texts.disconnect} typed={account} act={act} close={close}>
      <p>{texts.disconnectHint}</p>
    </Confirm>
  )
}

const change = (run: () => PromiseLike<unknown>, said: string) => actAtOnce(run, said, 'connection')

export const pause = (id: string) => change(() => service.connections.pause(id), texts.connectionPaused)
export const resume = (id: string) => change(() => service.connections.resume(id), texts.connectionResumed)
export const refresh = (id: string) => change(() => service.connections.refresh(id), texts.refreshed)
