import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FullAnswer } from '../../clients/typescript/src/entry.ts'
import { changes, refusalOf } from '../service/refusal.ts'
import type { Role } from '../service/roles.ts'
import { useAct } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { Form, type TimeOf } from './form.tsx'
import { Stale } from './stale.tsx'
import { useForm, type Values } from './useForm.ts'

type Options = { idempotencyKey: string; ifMatch?: string }

/** A record with its tag. The tag is null if a change must not depend on it, or if the record does not exist yet. */
type Tagged<R> = Pick<FullAnswer<R>, 'data' | 'etag'>

type Props<R, V extends Values> = {
  /** Of its draft. */
  name: string
  label?: string
  submit?: string
  least?: Role
  /** Values that are no draft. */
  secret?: readonly (keyof V)[]
  /** The record with its tag. While nothing is typed, the form follows it. */
  record: Tagged<R>
  valuesOf: (record: R) => V
  /** The labels of the fields. */
  labels: Partial<Record<keyof V, string>>
  /** How values read that are neither texts nor lists. */
  shownOf?: Partial<Record<keyof V, (value: unknown) => string>>
  /** `over`: the version that it is written over. */
  update: (changed: Partial<V>, options: Options, values: V, over: R) => PromiseLike<unknown>
  readAgain: () => Promise<Tagged<R>>
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
  const {
    name,
    label,
    submit = texts.save,
    record,
    valuesOf,
    labels,
    update,
    readAgain,
    done,
    cancel,
    actions,
    least,
  } = props
  const { ask = (_, send) => send(), adjust, timeOf } = props
  const [base, setBase] = useState(record)
  const [stale, setStale] = useState<Tagged<R>>()
  const form = useForm<V>(name, valuesOf(base.data), props.secret, adjust)
  const changed = changes(valuesOf(base.data), form.values)
  const isTouched = Object.keys(changed).length > 0

  function beginWith(next: Tagged<R>) {
    setBase(next)
    form.reset(valuesOf(next.data))
  }

  /** The next record is the one that this form has made. */
  const isSaved = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record is a reason
  useEffect(() => {
    if (record === base || (isTouched && !isSaved.current)) return
    isSaved.current = false
    beginWith(record)
  }, [record])

  const act = useAct(
    async ({ etag, data }: Tagged<R>, sent) => {
      try {
        if (isTouched) await update(changed, { ...sent, ...(etag && { ifMatch: etag }) }, form.values, data)
      } catch (error) {
        if (refusalOf(error).isStale) setStale(await readAgain())
        throw error
      }
    },
    async () => {
      form.forget()
      isSaved.current = isTouched
      await done()
    },
  )

  const shown = (field: keyof V, value: unknown) =>
    props.shownOf?.[field]?.(value) ?? (Array.isArray(value) ? value.join(', ') : String(value ?? ''))
  return (
    <>
      <Form
        form={form}
        label={label}
        submit={submit}
        least={least}
        act={stale ? { ...act, error: undefined } : act}
        send={() => ask(changed, () => act.send(base))}
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
            theirs: shown(field, valuesOf(stale.data)[field]),
            mine: shown(field, form.values[field]),
          }))}
          keep={() => {
            setStale(undefined)
            return act.send(stale)
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
