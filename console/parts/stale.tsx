import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'

type Difference = { field: string; theirs: string; mine: string }

type Props = { differences: readonly Difference[]; keep: () => unknown; discard: () => void }

/** Somebody else changed the record since the person began to edit it. */
export function Stale({ differences, keep, discard }: Props) {
  return (
    <Dialog title={texts.changedMeanwhile} role="alertdialog" close={discard}>
      <div className="scroll">
        <table aria-label={texts.versions}>
          <thead>
            <tr>
              <th scope="col">{texts.field}</th>
              <th scope="col">{texts.theirs}</th>
              <th scope="col">{texts.mine}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, theirs, mine }) => (
              <tr key={field}>
                <td>{field}</td>
                <td>{theirs}</td>
                <td>{mine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="actions">
        <button type="button" onClick={() => keep()}>
          {texts.keepMine}
        </button>
        <button type="button" className="quiet" onClick={discard}>
          {texts.discardMine}
        </button>
      </div>
    </Dialog>
  )
}
