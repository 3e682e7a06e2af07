import type { Agent } from '../../../clients/typescript/src/entry.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Edit } from '../../parts/edit.tsx'
import { Input } from '../../parts/fields.tsx'
import { metadataOf, metadataText } from '../../parts/metadata.ts'
import { MetadataField, More } from '../../parts/more.tsx'
import { actAtOnce } from '../../service/actAtOnce.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

type Props = { id: string; close: () => void }

export const readAgent = (id: string) => service.agents.get(id).full()

export function EditAgent({ id, close }: Props) {
  const { data } = useRead(['one', 'agent', id], () => readAgent(id))
  if (!data) return null
  return (
    <Edit
      name={`agent:${id}`}
      record={data}
      valuesOf={({ name, description, metadata }: Agent) => ({
        ...{ name, description: description ?? '' },
        metadata: metadataText(metadata),
      })}
      labels={{ name: texts.name, description: texts.description, metadata: texts.metadata }}
      update={({ description, metadata, ...rest }, options) =>
        service.agents.update(
          id,
          {
            ...rest,
            ...(description !== undefined && { description: description || null }),
            ...(metadata !== undefined && { metadata: metadataOf(metadata) }),
          },
          options,
        )
      }
      readAgain={() => readAgent(id)}
      done={async () => {
        await acted('agent')
        notify(texts.saved(texts.agent))
        close()
      }}
      cancel={close}
    >
      <Input name="name" label={texts.name} autoFocus />
      <Input name="description" label={texts.description} />
      <More>
        <MetadataField />
      </More>
    </Edit>
  )
}

export function Decommission({ id, name, close }: Props & { name: string }) {
  const act = useAct<void, unknown>(
    (_, sent) => service.agents.decommission(id, sent),
    async () => {
      await acted('agent', 'calendar')
      notify(texts.decommissioned)
    },
  )
  return (
    <Confirm label={texts.decommission} typed={name} act={act} close={close}>
      <p>{texts.decommissionHint}</p>
    </Confirm>
  )
}

/** Pauses or resumes, and says so. */
export const setStatus = (id: string, status: 'active' | 'paused') =>
  actAtOnce(() => service.agents.update(id, { status }), status === 'paused' ? texts.paused : texts.resumed, 'agent')
