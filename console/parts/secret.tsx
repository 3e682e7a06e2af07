import { createStore } from '../state/store.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { CopyField } from './copyButton.tsx'
import { Dialog } from './dialog.tsx'

/** In the memory of this page alone, and only while its dialog is open. */
const secret = createStore<string | undefined>(undefined)

/** Shows a secret once. */
export const showSecret = (value: string): void => secret.set(value)

export function SecretDialog() {
  const value = useStore(secret)
  if (value === undefined) return null
  const close = () => secret.set(undefined)
  return (
    <Dialog title={texts.saveSecret} close={close}>
      <p>{texts.secretOnce}</p>
      <CopyField label={texts.secret} value={value} />
      <div className="actions">
        <button type="button" onClick={close}>
          {texts.done}
        </button>
      </div>
    </Dialog>
  )
}
