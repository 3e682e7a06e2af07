import { Input, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'

const overlaps = [
  { value: '0', label: texts.noOverlap },
  { value: '3600', label: texts.oneHour },
  { value: '86400', label: texts.oneDay },
]

type Props = {
  prefix: string
  replace: (overlapSeconds: number, sent: { idempotencyKey: string }) => PromiseLike<{ key: string }>
  close: () => void
}

/** Without an overlap, programs with the old key stop at once: that is confirmed by its prefix. */
export function ReplaceKey({ prefix, replace, close }: Props) {
  const form = useForm(undefined, { overlap_seconds: '86400', typed: '' })
  const { overlap_seconds, typed } = form.values
  const isReady = overlap_seconds !== '0' || typed === prefix
  const act = useAct(replace, async ({ key }) => {
    await acted('organization_key')
    notify(texts.keyReplaced)
    close()
    showSecret(key)
  })
  return (
    <Form
      form={form}
      submit={texts.replace}
      least="admin"
      act={act}
      isBlocked={!isReady}
      send={() => act.send(Number(overlap_seconds))}
      cancel={close}
    >
      <Select name="overlap_seconds" label={texts.keepOldKey} options={overlaps} />
      {overlap_seconds === '0' && <Input name="typed" label={texts.typeToConfirm(prefix)} />}
    </Form>
  )
}
