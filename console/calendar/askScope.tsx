import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Radios } from '../parts/fields.tsx'
import { texts } from '../texts.ts'
import { type Scope, scopes } from './edits.ts'

type Props = {
  title: string
  submit: string
  /** The change is one of the series as such. */
  isOfSeries?: boolean
  choose: (scope: Scope) => void
  close: () => void
}

/** Of a series: which of its events the change is for. */
export function AskScope({ title, submit, isOfSeries = false, choose, close }: Props) {
  const offered = scopes.filter((scope) => scope !== 'one' || !isOfSeries)
  const [scope, setScope] = useState(offered[0]!)
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          choose(scope)
        }}
      >
        <Radios
          label={texts.changeWhich}
          options={offered.map((value) => ({ value, label: texts.scopes[value] }))}
          value={scope}
          choose={(value) => setScope(value as Scope)}
        />
        <div className="actions">
          <button type="submit">{submit}</button>
          <button type="button" className="quiet" onClick={close}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
