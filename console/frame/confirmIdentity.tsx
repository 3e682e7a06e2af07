import { useLocation } from '@tanstack/react-router'
import { Dialog } from '../parts/dialog.tsx'
import { Input } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { useForm } from '../parts/useForm.ts'
import { answerAll, questions } from '../service/identity.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { Providers } from './providers.tsx'

/** Asked for by the service before an act of weight. The act goes on by itself. */
export function ConfirmIdentity() {
  const [question] = useStore(questions)
  if (!question) return null
  const { ways } = question
  return (
    <Dialog title={texts.confirmIdentity} close={() => answerAll(false)}>
      {ways.includes('code') ? (
        <ByText name="code" />
      ) : ways.includes('password') ? (
        <ByText name="password" />
      ) : (
        <ByProvider />
      )}
    </Dialog>
  )
}

function ByText({ name }: { name: 'code' | 'password' }) {
  const form = useForm(undefined, { text: '' })
  const act = useAct(
    ({ text }: { text: string }) =>
      service.accounts.reauthenticateSession(name === 'code' ? { code: text } : { password: text }),
    () => answerAll(true),
  )
  return (
    <Form form={form} submit={texts.continue} least="viewer" act={act} cancel={() => answerAll(false)}>
      <p className="muted">{texts.confirmIdentityHint}</p>
      {name === 'code' ? (
        <Input name="text" param="code" label={texts.code} autoComplete="one-time-code" autoFocus />
      ) : (
        <Input
          name="text"
          param="password"
          label={texts.password}
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      )}
    </Form>
  )
}

/** An account without a password shows it where it signs in, and comes back to this screen. */
function ByProvider() {
  const { href } = useLocation()
  return (
    <>
      <p className="muted">{texts.confirmIdentityHint}</p>
      <Providers query={{ purpose: 'reauthenticate', return_to: `/console${href}` }} className="plain" />
      <div className="actions">
        <button type="button" className="quiet" onClick={() => answerAll(false)}>
          {texts.cancel}
        </button>
      </div>
    </>
  )
}
