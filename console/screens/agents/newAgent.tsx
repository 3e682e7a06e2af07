import { Input, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { metadataOf } from '../../parts/metadata.ts'
import { MetadataField, More } from '../../parts/more.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { agentTypes } from './types.ts'

type New = { name: string; description: string; metadata: string; type: (typeof agentTypes)[number]['value'] }

export function NewAgent({ close }: { close: () => void }) {
  const form = useForm<New>('new-agent', { name: '', description: '', metadata: '', type: 'ai' })
  const act = useAct(
    ({ description, metadata, ...body }: New, sent) =>
      service.agents.create(
        { ...body, ...(description && { description }), ...(metadata.trim() && { metadata: metadataOf(metadata) }) },
        sent,
      ),
    async () => {
      form.forget()
      await acted('agent')
      notify(texts.created(texts.agent))
      close()
    },
  )
  return (
    <Form form={form} submit={texts.createAgent} act={act} cancel={close}>
      <Input name="name" label={texts.name} autoFocus />
      <Input name="description" label={texts.description} />
      <Select name="type" label={texts.type} options={agentTypes} />
      <More>
        <MetadataField />
      </More>
    </Form>
  )
}
