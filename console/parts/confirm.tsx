import { type ReactNode, useState } from 'react'
import type { Act } from '../service/useAct.ts'
import { texts } from '../texts.ts'
import { Refused } from './refused.tsx'

type Props = {
  /** The name of the button that asked. */
  label: string
  /** A word that must be typed first. */
  typed?: string
  act: Act<void>
  close: () => void
  children?: ReactNode
}

/** The inside of an alertdialog: what happens, perhaps a word to type, and the button again. */
export function Confirm({ label, typed, act, close, children }: Props) {
  const [word, setWord] = useState('')
  const isReady = typed === undefined || word === typed
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        event.stopPropagation()
        if (isReady && (await act.send())) close()
      }}
    >
      {children && <div>{children}</div>}
      {typed !== undefined && (
        <div className="field">
          <label>
            <span>{texts.typeToConfirm(typed)}</span>
            <input
              type="text"
              autoComplete="off"
              spellCheck={false}
              value={word}
              onChange={(event) => setWord(event.target.value)}
            />
          </label>
        </div>
      )}
      {act.error !== undefined && (
        <Refused error={act.error} again={() => act.again().then((isDone) => isDone && close())} />
      )}
      <div className="actions">
        <button type="submit" className="danger" disabled={!isReady || act.isSending}>
          {label}
        </button>
        <button type="button" className="quiet" onClick={close}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
