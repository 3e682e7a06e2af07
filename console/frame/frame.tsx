import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { A } from '../parts/a.tsx'
import { Refused } from '../parts/refused.tsx'
import { SecretDialog } from '../parts/secret.tsx'
import { Unread } from '../parts/unread.tsx'
import { follow } from '../service/live.ts'
import { service } from '../service/service.ts'
import { continueSession, session } from '../service/session.ts'
import { leaveWithOthers } from '../service/signOut.ts'
import { useRead } from '../service/useRead.ts'
import { calm } from '../state/notices.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'
import { Account } from './account.tsx'
import { Alarms } from './alarms.tsx'
import { ConfirmIdentity } from './confirmIdentity.tsx'
import { Connection } from './connection.tsx'
import { Main } from './main.tsx'
import { Navigation } from './navigation.tsx'
import { isSignedOut, signInAddress } from './next.ts'
import { Notifications } from './notifications.tsx'
import { Palette } from './palette.tsx'
import { SignInAgain } from './signInAgain.tsx'
import { Switcher } from './switcher.tsx'
import { Terms } from './terms.tsx'

/** Around every screen of a person who is signed in. */
export function Frame() {
  const me = useRead(['one', 'session'], (options) => service.members.getSession(options))
  const { org, account } = me.data ?? {}
  const orgId = org?.id
  const { href, pathname } = useLocation()
  const [isReady, setIsReady] = useState(false)
  const waiting = useStore(session).waiting
  const failed = isSignedOut(me.error) ? null : me.error

  useEffect(() => {
    if (isSignedOut(me.error)) location.replace(signInAddress(href))
  }, [me.error, href])

  useEffect(() => {
    if (!me.data) return
    session.set((now) => ({ ...now, me: me.data }))
    setIsReady(true)
  }, [me.data])

  useEffect(() => {
    if (!orgId) return
    const end = new AbortController()
    follow(orgId, end.signal)
    return () => end.abort()
  }, [orgId])

  useEffect(leaveWithOthers, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal belongs to the screen that asked
  useEffect(calm, [pathname])

  return (
    <>
      <a className="skip" href="#main">
        {texts.skip}
      </a>
      <header className="bar">
        <A className="brand" to="/start">
          agent-calendar
        </A>
        {org && <Switcher name={org.name} />}
        <Navigation />
        <div className="tools">
          <Connection />
          <Palette />
          <Account />
        </div>
      </header>
      <Main>
        <Terms />
        <Alarms />
        {failed &&
          (isReady ? <Refused error={failed} again={me.refetch} /> : <Unread error={failed} again={me.refetch} />)}
        {isReady && <Outlet />}
      </Main>
      <Notifications />
      <SecretDialog />
      <ConfirmIdentity />
      {waiting.length > 0 && account && <SignInAgain account={account} done={continueSession} />}
    </>
  )
}
