import { Screen } from '../../parts/screen.tsx'
import { session } from '../../service/session.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'
import { Data } from './data.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { Name } from './name.tsx'
import { Password } from './password.tsx'
import { Policy } from './policy.tsx'
import { SignIn } from './signIn.tsx'

export function Organization() {
  const { me } = useStore(session)
  if (!me) return null
  return (
    <Screen heading={texts.organization}>
      <section aria-labelledby="account" className="part">
        <h2 id="account">{texts.account}</h2>
        <div className="columns">
          <Name me={me} />
          {me.account.has_password && <Password />}
        </div>
        <SignIn />
      </section>
      <Members me={me} />
      <Invitations />
      <Policy />
      <Data me={me} />
    </Screen>
  )
}
