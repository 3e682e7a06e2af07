import { type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { FormContext, useField } from './form.tsx'
import type { Values } from './useForm.ts'

type Props<R extends Values> = {
  /** Of the value of the form, which is a list. */
  name: string
  label: string
  hint?: string
  add: string
  /** The name of the button that removes a row, by the number of the row. */
  remove: (number: number) => string
  /** A row that is added. */
  first: R
  /** The fields of a row; `at` counts from 0, as the API does. */
  children: (at: number) => ReactNode
}

/** A list that people make longer and shorter: each row has fields, whose values are the parts of its value. */
export function Rows<R extends Values>({ name, label, hint, add, remove, first, children }: Props<R>) {
  const { value: rows, set, message } = useField<readonly R[]>(name)
  const list = useRef<HTMLFieldSetElement>(null)
  const id = useId()
  const isAdded = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is the reason
  useEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    const added = [...list.current!.querySelectorAll<HTMLElement>('.row')].at(-1)
    added?.querySelector<HTMLElement>('input')?.focus()
  }, [rows.length])
  return (
    <fieldset ref={list} className="rows">
      <legend>{label}</legend>
      {rows.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names
        <div key={at} className="entry">
          <Row name={name} at={at}>
            <div className="row">{children(at)}</div>
          </Row>
          <button
            type="button"
            className="quiet small"
            aria-label={remove(at + 1)}
            onClick={() => {
              set(rows.filter((_, nth) => nth !== at))
              list.current!.querySelector<HTMLElement>(':scope > button')?.focus()
            }}
          >
            <span aria-hidden="true">×</span>
          </button>
        </div>
      ))}
      {hint && <p className="hint">{hint}</p>}
      {message && (
        <p id={`${id}-wrong`} className="wrong">
          {message}
        </p>
      )}
      <button
        type="button"
        className="quiet small"
        data-param={name}
        aria-describedby={message && `${id}-wrong`}
        onClick={() => {
          isAdded.current = true
          set([...rows, first])
        }}
      >
        {add}
      </button>
    </fieldset>
  )
}

function Row({ name, at, children }: { name: string; at: number; children: ReactNode }) {
  const outer = useContext(FormContext)
  const rows = outer.values[name] as readonly Values[]
  const set = (change: Values) =>
    outer.set({ [name]: rows.map((row, nth) => (nth === at ? { ...row, ...change } : row)) })
  return <FormContext value={{ ...outer, values: rows[at]!, set }}>{children}</FormContext>
}
