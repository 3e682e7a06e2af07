import { useEffect, useState } from 'react'
import { isOffline, type OtherTime, refusalOf } from '../service/refusal.ts'
import { texts } from '../texts.ts'
import { A } from './a.tsx'
import { CopyButton } from './copyButton.tsx'
import { OtherTimes } from './otherTimes.tsx'

type Props = { error: unknown; again?: () => unknown; choose?: (time: OtherTime) => void }

/** The message of a refused request, and the ways to go on. */
export function Refused({ error, again, choose }: Props) {
  const { message, requestId, needsPlan, again: mayWork, waitSeconds } = refusalOf(error)
  return (
    <div role="alert" className="alert">
      <p>{message ?? (isOffline(error) ? texts.offline : texts.noAnswer)}</p>
      {requestId && (
        <p className="muted">
          {texts.requestId} <code>{requestId}</code> <CopyButton label={texts.copyRequestId} text={requestId} />
        </p>
      )}
      {needsPlan && (
        <p>
          <A to="/usage">{texts.seePlans}</A>
        </p>
      )}
      {choose && <OtherTimes error={error} choose={choose} />}
      {mayWork && again && <Again key={requestId} seconds={waitSeconds} again={again} />}
    </div>
  )
}

function Again({ seconds, again }: { seconds: number; again: () => unknown }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return (
    <p>
      <button type="button" disabled={left > 0} onClick={() => again()}>
        {texts.tryAgain}
      </button>{' '}
      {left > 0 && <span className="muted">{texts.inSeconds(left)}</span>}
    </p>
  )
}
