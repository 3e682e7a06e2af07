import { useId, useState } from 'react'
import { type Role, useMay } from '../service/roles.ts'
import { alarm } from '../state/notices.ts'

type Props = { label: string; isOn: boolean; least?: Role; turn: (isOn: boolean) => Promise<unknown> }

/** Acts at once and shows it at once; refused, it goes back. */
export function Switch({ label, isOn, least = 'developer', turn }: Props) {
  const [wanted, setWanted] = useState<boolean | undefined>()
  const id = useId()
  const shown = wanted ?? isOn
  const may = useMay(least)
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
  if (!may) return null
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
