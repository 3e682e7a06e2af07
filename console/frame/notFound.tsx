import { A } from '../parts/a.tsx'
import { Screen } from '../parts/screen.tsx'
import { texts } from '../texts.ts'
import { Main } from './main.tsx'

/** The same words for an unknown address, an unknown id, and the id of another organization. */
export const NotFound = () => (
  <Screen heading={texts.notFound}>
    <p>{texts.notFoundHint}</p>
    <p>
      <A to="/start">{texts.toStart}</A>
    </p>
  </Screen>
)

/** Without the frame. Its link leaves the organization of the address. */
export const NotFoundAlone = () => (
  <div className="entrance">
    <Main>
      <Screen heading={texts.notFound}>
        <p>{texts.notFoundHint}</p>
        <p>
          <a href="/console/start">{texts.toStart}</a>
        </p>
      </Screen>
    </Main>
  </div>
)
