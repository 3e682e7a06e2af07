import { CopyField } from '../../parts/copyButton.tsx'
import { texts } from '../../texts.ts'

export const Feed = ({ address }: { address: string }) => (
  <div className="card stack">
    <CopyField label={texts.feedAddress} value={address} />
    <p className="hint">{texts.feedHint}</p>
  </div>
)
