import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useForm } from '../../parts/useForm.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { texts } from '../../texts.ts'

/** The token is sent once, and kept nowhere: the cookie of the session stands for it. */
export function Administrator() {
  const form = useForm(undefined, { token: '' })
  const act = useAct(
    (body: { token: string }) => service.administration.openAdminSession(body),
    () => location.assign('/console/admin/organizations'),
  )
  return (
    <Screen heading={texts.admin.heading}>
      <Form form={form} label={texts.admin.heading} submit={texts.admin.enter} act={act}>
        <Input
          name="token"
          label={texts.admin.token}
          hint={texts.admin.tokenHint}
          type="password"
          autoComplete="off"
          autoFocus
        />
      </Form>
    </Screen>
  )
}
