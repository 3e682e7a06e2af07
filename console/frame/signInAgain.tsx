import { Dialog } from '../parts/dialog.tsx'
import { Input } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { useForm } from '../parts/useForm.ts'
import { refusalOf } from '../service/refusal.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { SecondFactor } from './secondFactor.tsx'

/** Over the screen, so that nothing that was typed is lost. */
export function SignInAgain({ email, done }: { email: string; done: () => void }) {
  const form = useForm(undefined, { password: '' })
  const act = useAct(({ password }: { password: string }) => service.accounts.signIn({ email, password }), done)
  return (
    <Dialog title={texts.sessionEnded} close={() => {}}>
      {act.error !== undefined && refusalOf(act.error).needsCode ? (
        <SecondFactor done={done} />
      ) : (
        <Form form={form} submit={texts.signIn} least="viewer" act={act}>
          <p className="muted">{email}</p>
          <Input name="password" label={texts.password} type="password" autoComplete="current-password" autoFocus />
        </Form>
      )}
    </Dialog>
  )
}
