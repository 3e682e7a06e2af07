import type { RefObject } from 'react'
import { type Role, useMay } from '../service/roles.ts'
import { texts } from '../texts.ts'

type Props = {
  things: string
  /** Says what they are for. */
  hint: string
  /** The button of the screen that makes one. */
  button?: RefObject<HTMLButtonElement | null>
  /** The least role that may. */
  least?: Role
}

/** An empty list says what it is for, and leads to the first thing of it. */
export function Empty({ things, hint, button, least = 'developer' }: Props) {
  const may = useMay(least)
  return (
    <>
      <p>{texts.none(things)}</p>
      <p className="hint">{hint}</p>
      {button && may && (
        <button type="button" className="quiet" onClick={() => button.current?.click()}>
          {texts.makeFirst}
        </button>
      )}
    </>
  )
}
