import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { AcceptTerms, useTerms } from '../../frame/acceptTerms.tsx'
import { safeNext } from '../../frame/next.ts'
import { A } from '../../parts/a.tsx'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useForm } from '../../parts/useForm.ts'
import { refusalOf } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { texts } from '../../texts.ts'

export function SignUp() {
  const { next } = useSearch({ strict: false }) as { next?: string }
  const terms = useTerms()
  const version = terms.data?.version
  const form = useForm('sign-up', { email: '', password: '', name: '', accepted: false }, ['password', 'accepted'])
  const act = useAct(
    ({ accepted, name, ...body }: typeof form.values) =>
      // Without the acceptance the service refuses, and says so at the box.
      service.accounts.signUp({ ...body, ...(name && { name }), tos_version: accepted ? version! : '' }),
    () => {
      form.forget()
      location.assign(safeNext(next, location.origin))
    },
  )

  // Other terms than those that the person accepted: they must read them first.
  const seen = useRef(version)
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== version) form.set({ accepted: false })
    seen.current = version
  })
  const { refetch } = terms
  useEffect(() => {
    if (act.error !== undefined && refusalOf(act.error).isStaleTerms) refetch()
  }, [act.error, refetch])

  return (
    <Screen heading={texts.signUp}>
      <Form form={form} label={texts.signUp} submit={texts.signUp} act={act}>
        <Input name="email" label={texts.email} type="email" autoComplete="username" autoFocus />
        <Input
          name="password"
          label={texts.password}
          type="password"
          autoComplete="new-password"
          hint={texts.passwordHint}
        />
        <Input name="name" label={texts.organizationName} autoComplete="organization" />
        <AcceptTerms terms={terms.data} />
      </Form>
      <p className="ways">
        <A to="/sign-in" search={next ? { next } : {}}>
          {texts.signIn}
        </A>
      </p>
    </Screen>
  )
}
