import { useId } from 'react'
import type { Find, Option } from './options.ts'
import { Picker } from './picker.tsx'

type Props = {
  label: string
  options: readonly Option[]
  find?: Find | undefined
  several?: boolean
  /** Several values are a list with commas, as the API takes them. */
  value: string | undefined
  choose: (value: string | undefined) => void
}

/** A filter, or a setting, by things that are picked. */
export function PickerFilter({ label, options, find, several = false, value, choose }: Props) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Picker
        inputId={id}
        label={label}
        options={options}
        find={find}
        several={several}
        chosen={value ? value.split(',') : []}
        choose={(values) => choose(values.join(',') || undefined)}
      />
    </div>
  )
}
