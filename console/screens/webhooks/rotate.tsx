import { Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const overlaps = [
  { value: '0', label: texts.noOverlap },
  { value: '3600', label: texts.oneHour },
  { value: '86400', label: texts.oneDay },
  { value: '604800', label: texts.sevenDays },
]

export function Rotate({ id, close }: { id: string; close: () => void }) {
  const form = useForm(undefined, { overlap_seconds: '86400' })
  const act = useAct(
    ({ overlap_seconds }: { overlap_seconds: string }, sent) =>
      service.webhooks.rotateSecret(id, { overlap_seconds: Number(overlap_seconds) }, sent),
    async ({ secret }) => {
      await acted('webhook')
      notify(texts.secretRotated)
      close()
      showSecret(secret)
    },
  )
  return (
    <Form form={form} submit={texts.rotate} act={act} cancel={close}>
      <Select name="overlap_seconds" label={texts.keepOldSecret} options={overlaps} />
    </Form>
  )
}
