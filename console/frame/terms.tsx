import { useState } from 'react'
import { Allowed } from '../parts/allowed.tsx'
import { Refused } from '../parts/refused.tsx'
import { service } from '../service/service.ts'
import { termsUpgrade } from '../service/session.ts'
import { useAct } from '../service/useAct.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { TermsLink, useTerms } from './acceptTerms.tsx'

/** New terms: said above the screen, in nobody's way. */
export function Terms() {
  const version = useStore(termsUpgrade)
  const [isLater, setIsLater] = useState(false)
  return version && !isLater ? <NewTerms later={() => setIsLater(true)} /> : null
}

function NewTerms({ later }: { later: () => void }) {
  const terms = useTerms()
  const accept = useAct(
    (version: string, sent) => service.terms.accept({ tos_version: version }, sent),
    () => termsUpgrade.set(undefined),
  )
  return (
    <section aria-label={texts.newTerms} className="banner">
      <p>
        <strong>{texts.newTerms}</strong> {terms.data && <TermsLink url={terms.data.url} />}
      </p>
      <div className="actions">
        <Allowed least="admin">
          <button type="button" disabled={!terms.data} onClick={() => accept.send(terms.data!.version)}>
            {texts.acceptTerms}
          </button>
        </Allowed>
        <button type="button" className="quiet" onClick={later}>
          {texts.later}
        </button>
      </div>
      {accept.error !== undefined && <Refused error={accept.error} again={accept.again} />}
    </section>
  )
}
