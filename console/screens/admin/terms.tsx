import { useState } from 'react'
import { Outward } from '../../parts/a.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check, Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useForm } from '../../parts/useForm.ts'
import { queryClient } from '../../service/queryClient.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const empty = { version: '', url: '', effective_at: '', material: false }

export function PublishTerms() {
  const current = useRead(['admin', 'terms'], (options) => service.terms.getCurrent(options))
  const [isAsking, setIsAsking] = useState(false)
  const form = useForm('publish-terms', empty)
  const act = useAct(
    (body: typeof form.values, sent) => service.terms.publish(body, sent),
    async () => {
      form.reset(empty)
      await queryClient.invalidateQueries({ queryKey: ['admin', 'terms'] })
      notify(texts.admin.published)
    },
  )
  // A refusal is shown in the form, beside its field.
  const publish = {
    ...act,
    error: undefined,
    async send() {
      setIsAsking(false)
      return act.send(form.values)
    },
  }
  return (
    <Screen heading={texts.admin.terms}>
      {current.data && (
        <p>
          {texts.admin.current}: {current.data.version} · <Outward href={current.data.url} />
        </p>
      )}
      <div className="card part">
        <Form
          form={form}
          label={texts.admin.publishTerms}
          submit={texts.admin.publishTerms}
          act={act}
          send={() => setIsAsking(true)}
        >
          <Input name="version" label={texts.admin.version} />
          <Input name="url" label={texts.admin.address} type="url" />
          <Input name="effective_at" label={texts.admin.effectiveOn} type="date" />
          <Check name="material" label={texts.admin.material}>
            <span className="hint">{texts.admin.materialHint}</span>
          </Check>
        </Form>
      </div>
      {isAsking && (
        <Dialog title={texts.admin.publishTerms} role="alertdialog" close={() => setIsAsking(false)}>
          <Confirm
            label={texts.admin.publishTerms}
            typed={form.values.version}
            act={publish}
            close={() => setIsAsking(false)}
          >
            <p>{texts.admin.publishHint}</p>
          </Confirm>
        </Dialog>
      )}
    </Screen>
  )
}
