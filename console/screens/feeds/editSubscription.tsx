import type { IcalSubscription } from '../../../clients/typescript/src/entry.ts'
import { Edit } from '../../parts/edit.tsx'
import { Input } from '../../parts/fields.tsx'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const read = (id: string) => service.icalSubscriptions.get(id).full()

export function EditSubscription({
  subscription: { id },
  close,
}: {
  subscription: IcalSubscription
  close: () => void
}) {
  const { data } = useRead(['one', 'ical_subscription', id], () => read(id))
  if (!data) return null
  return (
    <Edit
      name={`subscription:${id}`}
      record={data}
      secret={['url']}
      valuesOf={({ url, label }: IcalSubscription) => ({ url, label: label ?? '' })}
      labels={{ url: texts.feedAddress, label: texts.label }}
      update={(changed, { idempotencyKey }) => service.icalSubscriptions.update(id, changed, { idempotencyKey })}
      readAgain={() => read(id)}
      done={async () => {
        await acted('ical_subscription')
        notify(texts.saved(texts.subscription))
        close()
      }}
      cancel={close}
    >
      <Input name="url" label={texts.feedAddress} type="url" autoFocus />
      <Input name="label" label={texts.label} />
    </Edit>
  )
}
