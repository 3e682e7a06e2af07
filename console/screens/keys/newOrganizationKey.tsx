import { Input, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { optionsOf } from '../../parts/options.ts'
import { showSecret } from '../../parts/secret.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { OrganizationKeyFields } from './organizationKeyFields.tsx'
import { addressList, endOf, type KeyValues } from './organizationKeyValues.ts'

type Scope = 'full' | 'read_only'
const scopes = optionsOf(texts.keyScopes)

export function NewOrganizationKey({ close }: { close: () => void }) {
  const form = useForm<KeyValues & { scope: Scope }>('new-organization-key', {
    ...{ name: '', scope: 'full', expires: '', addresses: '' },
  })
  const act = useAct(
    ({ name, scope, expires, addresses }: typeof form.values, sent) => {
      const [expires_at, allowed_ips] = [endOf(expires, settings.get().timezone), addressList(addresses)]
      const ends = { ...(expires_at && { expires_at }), ...(allowed_ips && { allowed_ips }) }
      // A body without a name would make the organization's own key.
      return service.organizationKey.create({ name, scope, ...ends }, sent)
    },
    async ({ key }) => {
      form.forget()
      await acted('organization_key')
      notify(texts.created(texts.key))
      close()
      showSecret(key)
    },
  )
  return (
    <Form form={form} submit={texts.createKey} least="admin" act={act} cancel={close}>
      <Input name="name" label={texts.name} autoFocus />
      <Select name="scope" label={texts.scope} options={scopes} />
      <OrganizationKeyFields />
    </Form>
  )
}
