import type { Member } from '../../../clients/typescript/src/entry.ts'
import { Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import type { Role } from '../../service/roles.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { rolesUpTo } from './roleOptions.ts'

type Props = { member: Member; own: Role; close: () => void }

export function ChangeRole({ member: { id, email, role }, own, close }: Props) {
  const form = useForm(undefined, { role })
  const act = useAct(
    (body: { role: Role }, sent) => service.members.update(id, body, sent),
    async () => {
      await acted('member', 'invitation', 'session')
      notify(texts.saved(texts.member))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.save} least="admin" act={act} cancel={close}>
      <p className="muted">{email}</p>
      <Select name="role" label={texts.role} options={rolesUpTo(own)} />
    </Form>
  )
}
