import { Check } from '../parts/fields.tsx'
import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import { texts } from '../texts.ts'

type Terms = { url: string }

export const useTerms = () => useRead(['terms'], (options) => service.terms.getCurrent(options))

export const TermsLink = ({ url }: Terms) => (
  <a href={url} rel="noopener" target="_blank">
    {texts.terms}
  </a>
)

/** In a form: the box without which the service refuses, and the terms to read. */
export const AcceptTerms = ({ terms }: { terms: Terms | undefined }) => (
  <>
    <Check name="accepted" param="tos_version" label={texts.acceptsTerms} />
    {terms && (
      <p>
        <TermsLink url={terms.url} />
      </p>
    )}
  </>
)
