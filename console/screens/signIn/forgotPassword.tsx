import { useState } from 'react'
import { A } from '../../parts/a.tsx'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useForm } from '../../parts/useForm.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { texts } from '../../texts.ts'

export function ForgotPassword() {
  const [answer, setAnswer] = useState('')
  const form = useForm(undefined, { email: '' })
  const act = useAct(
    (body: { email: string }) => service.accounts.requestPasswordReset(body),
    ({ message }) => setAnswer(message),
  )
  return (
    <Screen heading={texts.resetPassword}>
      <Form form={form} label={texts.resetPassword} submit={texts.sendLink} act={act}>
        <Input name="email" label={texts.email} type="email" autoComplete="username" autoFocus />
        <p role="status" className="said">
          {answer}
        </p>
      </Form>
      <p className="ways">
        <A to="/sign-in">{texts.signIn}</A>
      </p>
    </Screen>
  )
}
