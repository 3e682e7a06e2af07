import { useEffect, useId, useState } from 'react'

const pauseMs = 300

type Props = {
  label: string
  type?: 'text' | 'search' | 'date'
  value: string | undefined
  choose: (value: string | undefined) => void
}

/** A filter that is typed. It acts once the typing pauses; the last value wins. */
export function TextFilter({ label, type = 'text', value = '', choose }: Props) {
  const [typed, setTyped] = useState(value)
  const id = useId()
  // Back, and links with other filters.
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the typing is a reason
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => choose(typed.trim() || undefined), type === 'date' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}
