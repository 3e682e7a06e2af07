import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'
import { texts } from '../../texts.ts'

/** The other ways to sign in, as this installation has them. `next` is below /console. */
export function Providers({ next }: { next: string }) {
  const { data } = useRead(['providers'], (options) => service.accounts.listProviders(options))
  if (!data || data.sign_in.length === 0) return null
  const search = new URLSearchParams({ return_to: next })
  return (
    <ul className="plain ways">
      {data.sign_in.map(({ id, name }) => (
        <li key={id}>
          <a href={`/v1/auth/oauth/${encodeURIComponent(id)}?${search}`}>{texts.continueWith(name)}</a>
        </li>
      ))}
    </ul>
  )
}
