import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { Moment } from '../parts/moment.tsx'
import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import { texts } from '../texts.ts'
import { guestOf, sentencesOf } from './historyOf.ts'

type Read = { signal: AbortSignal }

const entries = 50
const named = 5

/** The audit log of the event, with the names of the agents in it. */
async function readHistory(id: string, { signal }: Read) {
  const { data } = await service.auditLog.list({ signal, resource: id, limit: entries })
  const agents = [...new Set(data.flatMap(({ agent_id }) => agent_id ?? []))].slice(0, named)
  const names = await Promise.all(
    agents.map(
      async (id) =>
        [
          id,
          await service.agents.get(id, { signal }).then(
            ({ name }) => name,
            () => id,
          ),
        ] as const,
    ),
  )
  return { data, names: new Map(names) }
}

export function History({ event }: { event: EventInstance }) {
  const { data } = useRead(['one', 'event', event.id, 'history'], (options) => readHistory(event.id, options))
  const lines = data ? sentencesOf(data.data, data.names, { event, guest: guestOf(event) }, texts.acts) : []
  return (
    <section>
      <h3 id="history">{texts.history}</h3>
      <ul className="plain" aria-labelledby="history">
        {lines.map(({ at, text }) => (
          <li key={at + text}>
            {text} <Moment at={at} />
          </li>
        ))}
      </ul>
    </section>
  )
}
