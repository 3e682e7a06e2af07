import { notices } from '../state/notices.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'

export function Notifications() {
  const shown = useStore(notices)
  return (
    <section aria-label={texts.notifications} aria-live="polite" className="notices">
      {shown.map(({ id, text, undo }) => (
        <div key={id} className="notice">
          <span>{text}</span>
          {undo && (
            <button type="button" className="quiet small" onClick={undo}>
              {texts.undo}
            </button>
          )}
        </div>
      ))}
    </section>
  )
}
