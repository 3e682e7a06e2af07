import { useEffect, useId, useRef, useState } from 'react'

type Props = { label: string; value: string; search: (text: string) => void }

const pauseMs = 250

/** Searches when a person pauses. The address has the text, so Back undoes a search. */
export function SearchBox({ label, value, search }: Props) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  useEffect(() => setTyped(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          const { value: text } = event.target
          setTyped(text)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(text.trim()), pauseMs)
        }}
      />
    </div>
  )
}
