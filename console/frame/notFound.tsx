import { A } from '../parts/a.tsx'
import { Screen } from '../parts/screen.tsx'
import { texts } from '../texts.ts'

/** The same words for an unknown address, an unknown id, and the id of another organization. */
export const NotFound = () => (
  <Screen heading={texts.notFound}>
    <p>{texts.notFoundHint}</p>
    <p>
      <A to="/start">{texts.toStart}</A>
    </p>
  </Screen>
)
