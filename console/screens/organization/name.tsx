import { useEffect } from 'react'
import type { CurrentSession } from '../../../clients/typescript/src/entry.ts'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

export function Name({ me: { org } }: { me: CurrentSession }) {
  const form = useForm('organization-name', { name: org.name })
  const { reset, isRestored } = form
  const act = useAct(
    (body: { name: string }, sent) => service.organizations.updateOwn(body, sent),
    async () => {
      form.forget()
      await acted('session', 'membership')
      notify(texts.saved(texts.organization))
    },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another name is a reason
  useEffect(() => {
    if (!isRestored) reset({ name: org.name })
  }, [org.name])
  return (
    <div className="card">
      <Form form={form} submit={texts.saveName} least="admin" act={act}>
        <Input name="name" label={texts.organizationName} autoComplete="organization" />
      </Form>
    </div>
  )
}
