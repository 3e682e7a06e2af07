import { Outlet } from '@tanstack/react-router'
import { Main } from '../../frame/main.tsx'
import { texts } from '../../texts.ts'

/** Around the screens of a person who is not signed in. */
export const Entrance = () => (
  <div className="entrance">
    <a className="skip" href="#main">
      {texts.skip}
    </a>
    <header>
      <span className="brand">agent-calendar</span>
    </header>
    <Main>
      <Outlet />
    </Main>
  </div>
)
