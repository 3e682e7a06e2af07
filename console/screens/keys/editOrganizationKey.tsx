import type { OrganizationKeyRecord } from '../../../clients/typescript/src/entry.ts'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { changes } from '../../service/refusal.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { OrganizationKeyFields } from './organizationKeyFields.tsx'
import { changedBody, dayOf, type KeyValues } from './organizationKeyValues.ts'

export function EditOrganizationKey({ apiKey, close }: { apiKey: OrganizationKeyRecord; close: () => void }) {
  const { timezone } = settings.get()
  const before = {
    name: apiKey.name ?? '',
    expires: dayOf(apiKey.expires_at, timezone),
    addresses: apiKey.allowed_ips?.join(', ') ?? '',
  }
  const form = useForm<KeyValues>(`organization-key:${apiKey.id}`, before)
  const act = useAct(
    (values: KeyValues, sent) =>
      service.organizationKey.update(apiKey.id, changedBody(changes(before, values), timezone), sent),
    async () => {
      form.forget()
      await acted('organization_key')
      notify(texts.saved(texts.key))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.save} least="admin" act={act} cancel={close}>
      <Input name="name" label={texts.name} autoFocus />
      <OrganizationKeyFields />
    </Form>
  )
}
