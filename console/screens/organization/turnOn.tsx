import { useEffect, useState } from 'react'
import { CopyField } from '../../parts/copyButton.tsx'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { QrImage } from '../../parts/qrImage.tsx'
import { Refused } from '../../parts/refused.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Begun = { secret: string; otpauth_url: string }

/** Begins when it opens. The secret is in the memory of this dialog alone. */
export function TurnOn({ close }: { close: () => void }) {
  const [begun, setBegun] = useState<Begun>()
  const begin = useAct<void, Begun>(() => service.accounts.beginTotp(), setBegun)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => void begin.send(), [])
  if (begun) return <ConfirmCode begun={begun} close={close} />
  return (
    <>
      {begin.error !== undefined && <Refused error={begin.error} again={begin.again} />}
      <div className="actions">
        <button type="button" className="quiet" onClick={close}>
          {texts.cancel}
        </button>
      </div>
    </>
  )
}

function ConfirmCode({ begun, close }: { begun: Begun; close: () => void }) {
  const form = useForm(undefined, { code: '' })
  const act = useAct(
    (body: { code: string }) => service.accounts.confirmTotp(body),
    async ({ recovery_codes }) => {
      await acted('sign_in', 'session')
      notify(texts.factorTurnedOn)
      close()
      showSecret(recovery_codes.join(' '))
    },
  )
  return (
    <Form form={form} submit={texts.confirm} least="viewer" act={act} cancel={close}>
      <p className="muted">{texts.scan}</p>
      <QrImage label={texts.qrCode} text={begun.otpauth_url} />
      <CopyField label={texts.secret} value={begun.secret} />
      <Input name="code" label={texts.code} autoComplete="one-time-code" autoFocus />
    </Form>
  )
}
