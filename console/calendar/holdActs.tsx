import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { Allowed } from '../parts/allowed.tsx'
import { DialogButton } from '../parts/dialog.tsx'
import { Input } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { Refused } from '../parts/refused.tsx'
import { useForm } from '../parts/useForm.ts'
import { acted } from '../service/live.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { notify } from '../state/notices.ts'
import { texts } from '../texts.ts'
import { Countdown } from './countdown.tsx'
import { endOfHold } from './holds.ts'

type Act = 'confirm' | 'release'

/** A hold of a group is decided with its group. */
const decide = ({ id, holdGroupId }: EventInstance, act: Act, sent: { idempotencyKey: string }) => {
  if (!holdGroupId) return service.holds[act](id, sent)
  return act === 'confirm'
    ? service.holdGroups.confirm(holdGroupId, {}, sent)
    : service.holdGroups.release(holdGroupId, sent)
}

/** How long a hold lasts, and how it ends. */
export function HoldActs({ event }: { event: EventInstance }) {
  const isGroup = event.holdGroupId !== undefined
  const noun = isGroup ? texts.group : texts.hold
  const act = useAct<Act, unknown>(
    (act, sent) => decide(event, act, sent),
    async (_, act) => {
      await acted('event', 'hold_group')
      notify(act === 'confirm' ? texts.confirmed(noun) : texts.released(noun))
    },
  )
  return (
    <div className="hold-acts">
      <p>
        <span aria-hidden="true">{texts.timeLeft}</span>{' '}
        <span role="timer" aria-label={texts.timeLeft}>
          <Countdown until={event.holdExpiresAt!} />
        </span>
      </p>
      <Allowed>
        <div className="actions">
          <button type="button" disabled={act.isSending} onClick={() => act.send('confirm')}>
            {isGroup ? texts.confirmGroup : texts.confirmHold}
          </button>
          <button type="button" className="quiet" disabled={act.isSending} onClick={() => act.send('release')}>
            {isGroup ? texts.releaseGroup : texts.releaseHold}
          </button>
          {event.holdGroupId && event.renewable && (
            <DialogButton label={texts.extendGroup} className="quiet">
              {(close) => <ExtendGroup id={event.holdGroupId!} close={close} />}
            </DialogButton>
          )}
        </div>
      </Allowed>
      {act.error !== undefined && <Refused error={act.error} again={act.again} />}
    </div>
  )
}

/** A group that was placed as renewable may be held for longer. */
function ExtendGroup({ id, close }: { id: string; close: () => void }) {
  const form = useForm(undefined, { minutes: '10' })
  const act = useAct(
    ({ minutes }: { minutes: string }, sent) =>
      service.holdGroups.renew(id, { hold_expires_at: endOfHold(minutes, Date.now()) }, sent),
    async () => {
      await acted('event', 'hold_group')
      notify(texts.extended(texts.group))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.extend} act={act} cancel={close}>
      <Input
        name="minutes"
        param="hold_expires_at"
        label={texts.holdFor}
        hint={texts.extendHint}
        type="number"
        min={1}
        autoFocus
      />
    </Form>
  )
}
