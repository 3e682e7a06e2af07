import { useNavigate, useParams } from '@tanstack/react-router'
import type { CalendarConnectionDetail } from '../../../clients/typescript/src/entry.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { State } from '../../parts/state.tsx'
import { Unread } from '../../parts/unread.tsx'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'
import { Disconnect, pause, refresh, resume } from './actions.tsx'
import { ChooseCalendars } from './chooseCalendars.tsx'
import { Grants } from './grants.tsx'
import { Reauthorize } from './reauthorize.tsx'

export function Connection() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useRead(['one', 'connection', id], (options) => service.connections.get(id, options))
  if (!data) return <Unread error={error} again={refetch} />
  const account = data.account_label ?? texts.providers[data.provider]
  return (
    <Screen heading={account} actions={<Actions of={data} account={account} />}>
      {data.reauthorization_reason && <p className="banner">{texts.reasons[data.reauthorization_reason]}</p>}
      <Facts>
        <Fact name={texts.provider}>{texts.providers[data.provider]}</Fact>
        <Fact name={texts.status}>
          <State of={data.status} />
        </Fact>
        <Fact name={texts.lastSignIn}>
          <Moment at={data.last_authenticated_at} />
        </Fact>
      </Facts>
      <ChooseCalendars connection={data} />
      <Grants connection={data} />
    </Screen>
  )
}

function Actions({ of: { id, status, provider }, account }: { of: CalendarConnectionDetail; account: string }) {
  const navigate = useNavigate()
  return (
    <>
      {status === 'active' && (
        <button type="button" className="quiet" onClick={() => pause(id)}>
          {texts.pause}
        </button>
      )}
      {status === 'paused' && (
        <button type="button" className="quiet" onClick={() => resume(id)}>
          {texts.resume}
        </button>
      )}
      <button type="button" className="quiet" onClick={() => refresh(id)}>
        {texts.refresh}
      </button>
      <DialogButton label={texts.reauthorize} least="viewer" className="quiet">
        {(close) => <Reauthorize id={id} provider={provider} close={close} />}
      </DialogButton>
      <DialogButton label={texts.disconnect} least="viewer" className="quiet dangerous" alert>
        {(close) => (
          <Disconnect id={id} account={account} close={close} done={() => navigate({ to: '/connections' })} />
        )}
      </DialogButton>
    </>
  )
}
