import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { Fact } from './facts.tsx'
import { Lines } from './fields.tsx'
import { metadataText } from './metadata.ts'

/** The fields of a form that few people need. They open by themselves if the service refuses one of them. */
export const More = ({ children }: { children: ReactNode }) => (
  <details className="more-fields">
    <summary>{texts.moreFields}</summary>
    <div className="stack">{children}</div>
  </details>
)

export const MetadataField = () => <Lines name="metadata" label={texts.metadata} hint={texts.metadataHint} />

export const MetadataFact = ({ of }: { of: Record<string, unknown> }) => {
  const text = metadataText(of)
  return text ? (
    <Fact name={texts.metadata}>
      <pre>{text}</pre>
    </Fact>
  ) : null
}
