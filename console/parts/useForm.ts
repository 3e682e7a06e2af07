import { useState } from 'react'
import { dropDraft, keepDraft, readDraft } from '../state/drafts.ts'

export type Values = Record<string, unknown>

export type FormState<V extends Values> = {
  values: V
  set: (change: Partial<V>) => void
  /** Whether it began with what was typed earlier. */
  isRestored: boolean
  /** Back to what it began with. */
  discard: () => void
  /** After it was sent. */
  forget: () => void
  /** Other values, of which none is typed. */
  reset: (values: V) => void
}

/** The values of a form. With a name they are a draft until the form is sent or cancelled; `secret` values never are. */
export function useForm<V extends Values>(
  name: string | undefined,
  first: V,
  secret: readonly (keyof V)[] = [],
  /** Adds to a change whatever follows from it. */
  adjust: (next: V, before: V, change: Partial<V>) => V = (next) => next,
): FormState<V> {
  const [draft] = useState(() => (name ? readDraft(name) : undefined))
  const [values, setValues] = useState<V>({ ...first, ...draft })
  const [isRestored, setIsRestored] = useState(draft !== undefined)
  const forget = () => name && dropDraft(name)
  const reset = (next: V) => {
    forget()
    setValues(next)
    setIsRestored(false)
  }
  return {
    values,
    isRestored,
    forget: () => void forget(),
    set(change) {
      setValues((now) => {
        const next = adjust({ ...now, ...change }, now, change)
        const kept = Object.entries(next).filter(([key]) => !secret.includes(key))
        if (name) keepDraft(name, Object.fromEntries(kept))
        return next
      })
    },
    reset,
    discard: () => reset(first),
  }
}
