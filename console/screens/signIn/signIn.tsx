import { useSearch } from '@tanstack/react-router'
import { safeNext } from '../../frame/next.ts'
import { Providers } from '../../frame/providers.tsx'
import { SecondFactor } from '../../frame/secondFactor.tsx'
import { A } from '../../parts/a.tsx'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Screen } from '../../parts/screen.tsx'
import { word } from '../../parts/times.ts'
import { useForm } from '../../parts/useForm.ts'
import { refusalOf } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { texts } from '../../texts.ts'

export function SignIn() {
  const { next, failed } = useSearch({ strict: false }) as { next?: string; failed?: string }
  const form = useForm(undefined, { email: '', password: '' })
  const enter = () => location.assign(safeNext(next, location.origin))
  // A new page, so that nothing of an earlier person is left in its memory.
  const act = useAct((body: { email: string; password: string }) => service.accounts.signIn(body), enter)
  if (act.error !== undefined && refusalOf(act.error).needsCode) {
    return (
      <Screen heading={texts.signIn}>
        <SecondFactor done={enter} />
      </Screen>
    )
  }
  return (
    <Screen heading={texts.signIn}>
      {failed && (
        <p role="alert" className="alert">
          {texts.signInFailed(texts.signInFailures[failed] ?? word(failed))}
        </p>
      )}
      <Form form={form} label={texts.signIn} submit={texts.signIn} act={act}>
        <Input name="email" label={texts.email} type="email" autoComplete="username" autoFocus />
        <Input name="password" label={texts.password} type="password" autoComplete="current-password" />
      </Form>
      <Providers query={{ return_to: safeNext(next, location.origin) }} className="plain ways" />
      <p className="ways">
        <A to="/sign-up" search={next ? { next } : {}}>
          {texts.signUp}
        </A>
        <A to="/forgot-password">{texts.forgotPassword}</A>
      </p>
    </Screen>
  )
}
