import type { CalendarConnection } from '../../../clients/typescript/src/entry.ts'
import { Input } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { goToProvider } from './goToProvider.ts'

type Props = { id: string; provider: CalendarConnection['provider']; close: () => void }

/** CalDAV takes the password here, other providers on a page of their own. */
export function Reauthorize({ id, provider, close }: Props) {
  const form = useForm(undefined, { password: '' })
  const isCaldav = provider === 'caldav'
  const act = useAct(
    (body: { password: string }, sent) => service.connections.reauthorize(id, isCaldav ? body : {}, sent),
    async (answer) => {
      if ('authorization_url' in answer) return goToProvider(String(answer.authorization_url))
      await acted('connection')
      notify(texts.reauthorized)
      close()
    },
  )
  return (
    <Form form={form} submit={texts.reauthorize} least="viewer" act={act} cancel={close}>
      {isCaldav ? (
        <Input name="password" label={texts.password} type="password" autoComplete="off" autoFocus />
      ) : (
        <p>{texts.continueWith(texts.providers[provider])}</p>
      )}
    </Form>
  )
}
