// The fields of forms: a label, the browser's own control, a hint, and the words of the service when it refuses the value.
import { type ReactNode, useId } from 'react'
import { texts } from '../texts.ts'
import { useField } from './form.tsx'
import type { Find, Option } from './options.ts'
import { Picker } from './picker.tsx'

type Named = { name: string; label: string; param?: string; hint?: string }

/** For every control: the ids of its hint and message, and whether it is wrong. */
function useControl({ name, param, hint }: Named) {
  const field = useField<unknown>(name, param)
  const id = useId()
  const describedBy = [hint && `${id}-hint`, field.message && `${id}-wrong`].filter(Boolean).join(' ') || undefined
  const control = {
    id,
    'data-param': field.param,
    'aria-describedby': describedBy,
    'aria-invalid': field.message !== undefined || undefined,
  }
  return { field, id, control }
}

function Labelled({ id, label, hint, message, children }: LabelledProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {message && (
        <p id={`${id}-wrong`} className="wrong">
          {message}
        </p>
      )}
    </div>
  )
}

type LabelledProps = { id: string; label: string; hint?: string; message?: string; children: ReactNode }

type InputProps = Named & {
  type?: 'text' | 'email' | 'password' | 'date' | 'time' | 'datetime-local' | 'number' | 'url' | 'search'
  autoComplete?: string
  min?: number
  autoFocus?: boolean
}

/** One line: text, a password, a date, a time, a number. Its value is always text. */
export function Input({ type = 'text', autoComplete = 'off', min, autoFocus, ...named }: InputProps) {
  const { field, id, control } = useControl(named)
  return (
    <Labelled id={id} label={named.label} hint={named.hint} message={field.message}>
      <input
        {...control}
        // The browser's own checks of addresses would hide the words of the service.
        type={type === 'email' || type === 'url' ? 'text' : type}
        inputMode={type === 'email' || type === 'url' ? type : undefined}
        autoComplete={autoComplete}
        min={min}
        // biome-ignore lint/a11y/noAutofocus: the first field of a dialog
        autoFocus={autoFocus}
        value={(field.value as string | undefined) ?? ''}
        onChange={(event) => field.set(event.target.value)}
      />
    </Labelled>
  )
}

/** Several lines. Enter sends the form as in every field; with Shift it begins a line. */
export function Lines(named: Named) {
  const { field, id, control } = useControl(named)
  const value = (field.value as string | undefined) ?? ''
  return (
    <Labelled id={id} label={named.label} hint={named.hint} message={field.message}>
      <textarea
        {...control}
        rows={Math.min(maxLines, value.split('\n').length)}
        value={value}
        onChange={(event) => field.set(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
    </Labelled>
  )
}

const maxLines = 8

export function Select({ options, ...named }: Named & { options: readonly Option[] }) {
  const { field, id, control } = useControl(named)
  return (
    <Labelled id={id} label={named.label} hint={named.hint} message={field.message}>
      <select {...control} value={field.value as string} onChange={(event) => field.set(event.target.value)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** Its value is a list of the chosen values, or with `several={false}` the chosen one. */
export function PickerField({
  options,
  find,
  several = false,
  ...named
}: Named & { options: readonly Option[]; find?: Find | undefined; several?: boolean }) {
  const { field, id, control } = useControl(named)
  const value = field.value as string | readonly string[] | undefined
  const chosen = typeof value === 'string' ? [value].filter(Boolean) : (value ?? [])
  return (
    <Labelled id={id} label={named.label} hint={named.hint} message={field.message}>
      <Picker
        inputId={id}
        label={named.label}
        options={options}
        find={find}
        several={several}
        chosen={chosen}
        choose={(values) => field.set(several ? values : (values[0] ?? ''))}
        param={field.param}
        describedBy={control['aria-describedby']}
        isInvalid={control['aria-invalid']}
      />
    </Labelled>
  )
}

type CheckProps = Named & { isSwitch?: boolean; children?: ReactNode }

export function Check({ isSwitch, children, ...named }: CheckProps) {
  const { field, id, control } = useControl(named)
  const isOn = field.value === true
  return (
    <div className="check">
      <input
        {...control}
        {...(isSwitch && { role: 'switch', 'aria-checked': isOn })}
        type="checkbox"
        checked={isOn}
        onChange={(event) => field.set(event.target.checked)}
      />
      <label htmlFor={id}>{named.label}</label>
      {children}
      {field.message && (
        <p id={`${id}-wrong`} className="wrong">
          {field.message}
        </p>
      )}
    </div>
  )
}

/** A switch of a form, which acts when the form is sent. */
export const SwitchField = (named: Named) => <Check {...named} isSwitch />

type RadiosProps = { label: string; options: readonly Option[]; value: string; choose: (value: string) => void }

/** A choice that acts at once, or whose value the caller keeps. */
export function Radios({ label, options, value, choose }: RadiosProps) {
  const id = useId()
  return (
    <fieldset className="radios">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio">
          <input type="radio" name={id} checked={option.value === value} onChange={() => choose(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

type LooseProps = {
  label: string
  value: string | undefined
  options: readonly Option[]
  /** May be left open: the empty value, which comes first. */
  orAll?: boolean
  choose: (value: string) => void
}

/** A select outside of forms: a filter. */
export function Filter({ label, value = '', options, orAll, choose }: LooseProps) {
  const id = useId()
  const offered = orAll ? [{ value: '', label: texts.all }, ...options] : options
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => choose(event.target.value)}>
        {offered.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
