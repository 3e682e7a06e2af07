import { type ReactNode, useEffect, useState } from 'react'
import type { FullAnswer } from '../../clients/typescript/src/entry.ts'
import { changes, refusalOf } from '../service/refusal.ts'
import { useAct } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { Form, type TimeOf } from './form.tsx'
import { Stale } from './stale.tsx'
import { useForm, type Values } from './useForm.ts'

type Options = { idempotencyKey: string; ifMatch?: string }

type Props<R, V extends Values> = {
  /** Of its draft. */
  name: string
  label?: string
  submit?: string
  /** The record with its tag. While nothing is typed, the form follows it. */
  record: FullAnswer<R>
  valuesOf: (record: R) => V
  /** The labels of the fields. */
  labels: Partial<Record<keyof V, string>>
  update: (changed: Partial<V>, options: Options, values: V) => PromiseLike<unknown>
  readAgain: () => Promise<FullAnswer<R>>
  done: () => unknown
  cancel?: () => void
  actions?: ReactNode
  /** Asks something before the changes are sent. */
  ask?: (changed: Partial<V>, send: () => unknown) => unknown
  adjust?: (next: V, before: V, change: Partial<V>) => V
  timeOf?: TimeOf<V>
  children: ReactNode
}

/** A form of a record that exists: it sends only what was changed, and only over the version that the person saw. */
export function Edit<R, V extends Values>(props: Props<R, V>) {
  const { name, label, submit = texts.save, record, valuesOf, labels, update, readAgain, done, cancel, actions } = props
  const { ask = (_, send) => send(), adjust, timeOf } = props
  const [base, setBase] = useState(record)
  const [stale, setStale] = useState<FullAnswer<R>>()
  const form = useForm<V>(name, valuesOf(base.data), [], adjust)
  const changed = changes(valuesOf(base.data), form.values)
  const isTouched = Object.keys(changed).length > 0

  function beginWith(next: FullAnswer<R>) {
    setBase(next)
    form.reset(valuesOf(next.data))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is a reason
  useEffect(() => {
    if (record !== base && !isTouched) beginWith(record)
  }, [record])

  const act = useAct(
    async ({ etag }: { etag: string | null }, sent) => {
      try {
        if (isTouched) await update(changed, { ...sent, ...(etag && { ifMatch: etag }) }, form.values)
      } catch (error) {
        if (refusalOf(error).isStale) setStale(await readAgain())
        throw error
      }
    },
    async () => {
      form.forget()
      await done()
    },
  )

  const shown = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))
  return (
    <>
      <Form
        form={form}
        label={label}
        submit={submit}
        act={stale ? { ...act, error: undefined } : act}
        send={() => ask(changed, () => act.send({ etag: base.etag }))}
        timeOf={timeOf}
        cancel={cancel}
        actions={actions}
      >
        {props.children}
      </Form>
      {stale && (
        <Stale
          differences={(Object.keys(changed) as (keyof V)[]).map((field) => ({
            field: labels[field] ?? String(field),
            theirs: shown(valuesOf(stale.data)[field]),
            mine: shown(form.values[field]),
          }))}
          keep={() => {
            setStale(undefined)
            return act.send({ etag: stale.etag })
          }}
          discard={() => {
            setStale(undefined)
            act.forget()
            beginWith(stale)
          }}
        />
      )}
    </>
  )
}
