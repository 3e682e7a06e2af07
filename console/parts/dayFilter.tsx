import { useId } from 'react'

type Props = { label: string; value: string | undefined; choose: (day: string | undefined) => void }

/** A date outside of forms: a filter. */
export function DayFilter({ label, value, choose }: Props) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value ?? ''} onChange={(event) => choose(event.target.value || undefined)} />
    </div>
  )
}
