import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Input } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { useForm } from '../parts/useForm.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { texts } from '../texts.ts'

/** After the password: the code of an app, or one of the recovery codes. A cookie ties it to the password. */
export function SecondFactor({ done }: { done: () => unknown }) {
  const [isRecovery, setIsRecovery] = useState(false)
  const form = useForm(undefined, { code: '' })
  const act = useAct(({ code }: { code: string }) => service.accounts.signInWithCode({ code }), done)
  return (
    <>
      <Form form={form} label={texts.secondFactor} submit={texts.verify} least="viewer" act={act}>
        <Input
          name="code"
          label={texts.code}
          autoComplete="one-time-code"
          autoFocus
          hint={isRecovery ? texts.recoveryHint : texts.codeHint}
        />
      </Form>
      {!isRecovery && (
        <p className="ways">
          <Link
            to="."
            search={true as never}
            onClick={(event) => {
              event.preventDefault()
              setIsRecovery(true)
            }}
          >
            {texts.useRecoveryCode}
          </Link>
        </p>
      )}
    </>
  )
}
