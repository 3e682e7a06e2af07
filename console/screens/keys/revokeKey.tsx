import { Confirm } from '../../parts/confirm.tsx'
import { acted } from '../../service/live.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Props = {
  prefix: string
  /** Of the list that shows it. */
  noun: string
  revoke: (sent: { idempotencyKey: string }) => PromiseLike<unknown>
  close: () => void
}

export function RevokeKey({ prefix, noun, revoke, close }: Props) {
  const act = useAct<void, unknown>(
    (_, sent) => revoke(sent),
    async () => {
      await acted(noun)
      notify(texts.keyRevoked)
    },
  )
  return (
    <Confirm label={texts.revoke} typed={prefix} act={act} close={close}>
      <p>{texts.revokeHint}</p>
    </Confirm>
  )
}
