import { useEffect, useState } from 'react'
import type { Providers as Offered } from '../../clients/typescript/src/entry.ts'
import { service } from '../service/service.ts'
import { texts } from '../texts.ts'

type Props = { query: Record<string, string>; className: string }

/** Links to the providers at which a person may sign in, as this installation has them. */
export function Providers({ query, className }: Props) {
  const [data, setData] = useState<Offered>()
  // Without the parts that keep answers, which Sign in does not load.
  useEffect(() => {
    const end = new AbortController()
    service.accounts.listProviders({ signal: end.signal }).then(setData, () => {})
    return () => end.abort()
  }, [])
  if (!data || data.sign_in.length === 0) return null
  return (
    <ul className={className}>
      {data.sign_in.map(({ id, name }) => (
        <li key={id}>
          <a href={`/v1/auth/oauth/${encodeURIComponent(id)}?${new URLSearchParams(query)}`}>
            {texts.continueWith(name)}
          </a>
        </li>
      ))}
    </ul>
  )
}
