import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { Moment } from '../parts/moment.tsx'
import { useMay } from '../service/roles.ts'
import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import { texts } from '../texts.ts'
import { isOfAccount, sentencesOf } from './historyOf.ts'

type Read = { signal: AbortSignal }

const entries = 50
const named = 5

/** The changes of the event, with the names of the agents in it, and of the accounts if the role may see them. */
async function readHistory(id: string, seesAccounts: boolean, { signal }: Read) {
  const { data } = await service.events.getHistory(id, { signal, limit: entries })
  const agents = [...new Set(data.flatMap(({ actor }) => actor?.agent_id ?? []))].slice(0, named)
  const [audited, ...names] = await Promise.all([
    seesAccounts && data.some(isOfAccount)
      ? service.auditLog.list({ signal, resource: id, limit: entries }).then((answer) => answer.data)
      : [],
    ...agents.map(async (agent) => [agent, await nameOf(agent, signal)] as const),
  ])
  return { data, audited, names: new Map(names) }
}

const nameOf = (id: string, signal: AbortSignal): Promise<string> =>
  service.agents.get(id, { signal }).then(
    ({ name }) => name,
    () => id,
  )

export function History({ event }: { event: EventInstance }) {
  const seesAccounts = useMay('developer')
  const { data } = useRead(['one', 'event', event.id, 'history'], (options) =>
    readHistory(event.id, seesAccounts, options),
  )
  const lines = data ? sentencesOf(data.data, { event, ...data }, texts.acts) : []
  return (
    <section>
      <h3 id="history">{texts.history}</h3>
      <ul className="plain" aria-labelledby="history">
        {lines.map(({ at, text, fields }) => (
          <li key={at + text}>
            {text} <Moment at={at} />
            {fields.length > 0 && <div className="muted">{fields.join(', ')}</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}
