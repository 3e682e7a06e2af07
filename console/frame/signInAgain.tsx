import { useLocation } from '@tanstack/react-router'
import type { CurrentSession } from '../../clients/typescript/src/entry.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Input } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { useForm } from '../parts/useForm.ts'
import { refusalOf } from '../service/refusal.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { Providers } from './providers.tsx'
import { SecondFactor } from './secondFactor.tsx'

type Props = { account: CurrentSession['account']; done: () => void }

/** Over the screen, so that nothing that was typed is lost. */
export function SignInAgain({ account: { email, has_password }, done }: Props) {
  const form = useForm(undefined, { password: '' })
  const act = useAct(({ password }: { password: string }) => service.accounts.signIn({ email, password }), done)
  const { href } = useLocation()
  return (
    <Dialog title={texts.sessionEnded} close={() => {}}>
      {!has_password ? (
        // This screen finds again, as a draft, whatever was typed.
        <>
          <p className="muted">{email}</p>
          <Providers query={{ return_to: `/console${href}` }} className="plain" />
        </>
      ) : act.error !== undefined && refusalOf(act.error).needsCode ? (
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
