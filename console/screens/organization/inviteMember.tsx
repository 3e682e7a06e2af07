import { Input, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import type { Role } from '../../service/roles.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { rolesUpTo } from './roleOptions.ts'

export function InviteMember({ own, close }: { own: Role; close: () => void }) {
  const form = useForm<{ email: string; role: Role }>('invite-member', { email: '', role: 'developer' })
  const act = useAct(
    (body: { email: string; role: Role }, sent) => service.invitations.create(body, sent),
    async () => {
      form.forget()
      await acted('invitation')
      notify(texts.invitationSent)
      close()
    },
  )
  return (
    <Form form={form} submit={texts.sendInvitation} least="admin" act={act} cancel={close}>
      <Input name="email" label={texts.email} type="email" autoFocus />
      <Select name="role" label={texts.role} options={rolesUpTo(own)} />
    </Form>
  )
}
