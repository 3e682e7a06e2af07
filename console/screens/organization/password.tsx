import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const empty = { current_password: '', password: '' }

export function Password() {
  const form = useForm(undefined, empty)
  const act = useAct(
    (body: typeof empty) => service.accounts.changePassword(body),
    async () => {
      form.reset(empty)
      await acted('sign_in')
      notify(texts.passwordChanged)
    },
  )
  return (
    <div className="card">
      <Form form={form} submit={texts.changePassword} least="viewer" act={act}>
        <Input name="current_password" label={texts.currentPassword} type="password" autoComplete="current-password" />
        <Input
          name="password"
          label={texts.newPassword}
          type="password"
          autoComplete="new-password"
          hint={`${texts.passwordHint} ${texts.passwordChangeHint}`}
        />
      </Form>
    </div>
  )
}
