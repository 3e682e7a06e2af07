import { useId, useState } from 'react'
import { alarm } from '../state/notices.ts'

type Props = { label: string; isOn: boolean; turn: (isOn: boolean) => Promise<unknown> }

/** Acts at once and shows it at once; refused, it goes back. */
export function Switch({ label, isOn, turn }: Props) {
  const [wanted, setWanted] = useState<boolean | undefined>()
  const id = useId()
  const shown = wanted ?? isOn
  async function change(next: boolean) {
    setWanted(next)
    try {
      await turn(next)
    } catch (error) {
      alarm(error)
    } finally {
      setWanted(undefined)
    }
  }
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={shown}
        checked={shown}
        onChange={(event) => change(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
