import { Input } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { useForm } from '../parts/useForm.ts'
import { openOrganization } from '../service/openOrganization.ts'
import { service } from '../service/service.ts'
import { useAct } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { AcceptTerms, useTerms } from './acceptTerms.tsx'

/** Another organization of the same account, whose owner it is. */
export function NewOrganization({ close }: { close: () => void }) {
  const terms = useTerms()
  const form = useForm('new-organization', { name: '', accepted: false })
  const act = useAct(
    ({ name, accepted }: { name: string; accepted: boolean }, sent) =>
      // Without the acceptance the service refuses, and says so at the box.
      service.organizations.open({ name, tos_version: accepted ? (terms.data?.version ?? '') : '' }, sent),
    ({ org }) => {
      form.forget()
      openOrganization(org.id)
    },
  )
  return (
    <Form form={form} submit={texts.createOrganization} least="viewer" act={act} cancel={close}>
      <Input name="name" label={texts.organizationName} autoComplete="organization" autoFocus />
      <AcceptTerms terms={terms.data} />
    </Form>
  )
}
