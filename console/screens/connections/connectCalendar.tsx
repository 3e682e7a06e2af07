import { useNavigate } from '@tanstack/react-router'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Refused } from '../../parts/refused.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { useRead } from '../../service/useRead.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { goToProvider } from './goToProvider.ts'

const empty = { server_url: '', username: '', password: '' }
/** To read busy times, and to write copies of events. */
const capabilities = ['availability', 'publishing'] as const

export function ConnectCalendar({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const { data } = useRead(['providers'], (options) => service.accounts.listProviders(options))
  const start = useAct(
    (provider: string, sent) => service.connections.start(provider, { capabilities: [...capabilities] }, sent),
    ({ authorization_url }) => goToProvider(authorization_url),
  )
  const form = useForm('connect-calendar', empty, ['password'])
  const act = useAct(
    (body: typeof empty, sent) => service.connections.connectCaldav({ ...body, capabilities: [...capabilities] }, sent),
    async ({ id }) => {
      form.forget()
      await acted('connection')
      notify(texts.connected)
      close()
      await navigate({ to: `/connections/${id}` })
    },
  )
  const providers = data?.calendars ?? []
  return (
    <div className="stack">
      {providers.length > 0 && (
        <div className="actions">
          {providers.map(({ id, name }) => (
            <button key={id} type="button" className="quiet" onClick={() => start.send(id)}>
              {name}
            </button>
          ))}
        </div>
      )}
      {start.error !== undefined && <Refused error={start.error} again={start.again} />}
      <Form form={form} submit={texts.connect} least="viewer" act={act} cancel={close}>
        <p className="muted">{texts.caldavHint}</p>
        <Input name="server_url" label={texts.serverAddress} type="url" />
        <Input name="username" label={texts.userName} autoComplete="off" />
        <Input name="password" label={texts.password} type="password" autoComplete="off" />
      </Form>
    </div>
  )
}
