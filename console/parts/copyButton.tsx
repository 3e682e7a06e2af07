import { notify } from '../state/notices.ts'
import { texts } from '../texts.ts'

export function CopyButton({ text, label = texts.copy }: { text: string; label?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      notify(texts.copied)
    } catch {
      notify(texts.notCopied)
    }
  }
  return (
    <button type="button" className="quiet small" onClick={copy}>
      {label}
    </button>
  )
}

/** A value to take along: read-only text with a button. */
export function CopyField({ label, value, copy = texts.copy }: { label: string; value: string; copy?: string }) {
  return (
    <div className="field">
      <label>
        <span>{label}</span>
        <input type="text" readOnly value={value} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton text={value} label={copy} />
    </div>
  )
}
