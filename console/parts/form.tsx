import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { isAbout, type OtherTime, refusalOf } from '../service/refusal.ts'
import { type Role, useMay } from '../service/roles.ts'
import type { Act } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { OtherTimes } from './otherTimes.tsx'
import { Refused } from './refused.tsx'
import type { FormState, Values } from './useForm.ts'

type Wrong = { param: string; message: string } | undefined

type Context = { values: Values; set: (change: Values) => void; wrong: Wrong; right: () => void }
/** For parts whose fields belong to a part of a value. */
export const FormContext = createContext<Context>({ values: {}, set: () => {}, wrong: undefined, right: () => {} })

/** A value of the form around a field, how to change it, and what the service says about it. */
export function useField<T>(name: string, param: string = name) {
  const { values, set, wrong, right } = useContext(FormContext)
  const message = wrong && isAbout(wrong.param, param) ? wrong.message : undefined
  return {
    value: values[name] as T,
    // Another value is not wrong yet.
    set: (value: T) => {
      set({ [name]: value })
      if (message) right()
    },
    message,
    param,
  }
}

export type TimeOf<V> = (values: V, time: OtherTime) => Partial<V>

/** All values of the form around. */
export const useValues = <V extends Values>(): V => useContext(FormContext).values as V

/** Fields of a value that has fields itself. */
export function Within({ name, children }: { name: string; children: ReactNode }) {
  const outer = useContext(FormContext)
  const values = outer.values[name] as Values
  const set = (change: Values) => outer.set({ [name]: { ...values, ...change } })
  return <FormContext value={{ ...outer, values, set }}>{children}</FormContext>
}

type Props<V extends Values> = {
  form: FormState<V>
  /** Found by this name, if it is not inside of a dialog. */
  label?: string
  submit: string
  /** The least role that may send it; a lower one reads it. Forms change data unless they say otherwise. */
  least?: Role
  /** The button waits for something, such as a typed word. */
  isBlocked?: boolean
  cancel?: () => void
  /** More buttons. */
  actions?: ReactNode
  /** The values with another time, which the service offers when it refuses one. */
  timeOf?: TimeOf<V>
  children: ReactNode
} & ({ act: Act<V>; send?: undefined } | { act: Act<never>; send: () => unknown })

/** A form, which sends its values unless `send` says otherwise. A refusal that is about one of its fields is shown there, any other one as an alert. The typed values stay. */
export function Form<V extends Values>(props: Props<V>) {
  const { form, label, submit, act, least = 'developer', isBlocked, cancel, actions, timeOf, children } = props
  const may = useMay(least)
  const { error, isSending, again } = act
  const send = props.send ?? (() => props.act.send(form.values))
  const element = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<Wrong>()
  const [isMended, setIsMended] = useState(false)

  useEffect(() => {
    const { param, message } = error === undefined ? { param: null, message: undefined } : refusalOf(error)
    const field = param === null ? undefined : fieldOf(element.current!, param)
    setWrong(field && param && message ? { param, message } : undefined)
    setIsMended(false)
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [error])

  return (
    <FormContext
      value={{
        values: form.values,
        set: form.set as (change: Values) => void,
        wrong,
        right: () => {
          setWrong(undefined)
          setIsMended(true)
        },
      }}
    >
      <form
        ref={element}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (may && !isSending && !isBlocked) send()
        }}
      >
        {form.isRestored && (
          <div className="restored">
            <span role="status">{texts.draftRestored}</span>
            <button type="button" className="quiet small" onClick={form.discard}>
              {texts.discardDraft}
            </button>
          </div>
        )}
        {may ? (
          children
        ) : (
          <fieldset disabled className="bare">
            {children}
          </fieldset>
        )}
        {error !== undefined && !wrong && !isMended && <Refused error={error} again={again} />}
        {error !== undefined && timeOf && (
          <OtherTimes
            error={error}
            choose={(time) => {
              form.set(timeOf(form.values, time))
              setWrong(undefined)
            }}
          />
        )}
        {may && (
          <div className="actions">
            <button type="submit" disabled={isBlocked} aria-disabled={isSending || undefined}>
              {submit}
            </button>
            {cancel && (
              <button
                type="button"
                className="quiet"
                onClick={() => {
                  form.forget()
                  cancel()
                }}
              >
                {texts.cancel}
              </button>
            )}
            {actions}
          </div>
        )}
      </form>
    </FormContext>
  )
}

const fieldOf = (form: HTMLElement, param: string): HTMLElement | undefined =>
  [...form.querySelectorAll<HTMLElement>('[data-param]')].find((field) => isAbout(param, field.dataset.param!))
