import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'

/** As many as one request names. */
const limit = 100

/** The names of the agents that a screen shows, however many there are: only these are read. Until they come, an agent is its id. */
export function useAgentNames(ids: readonly string[]): (id: string) => string {
  const wanted = [...new Set(ids)].sort()
  const { data } = useRead(
    ['list', 'agent', 'named', wanted],
    async (options) => {
      const blocks = Array.from({ length: Math.ceil(wanted.length / limit) }, (_, nth) =>
        wanted.slice(nth * limit, (nth + 1) * limit),
      )
      const pages = await Promise.all(blocks.map((ids) => service.agents.list({ ...options, ids, limit })))
      return new Map(pages.flatMap(({ data }) => data.map(({ id, name }) => [id, name] as const)))
    },
    { enabled: wanted.length > 0 },
  )
  return (id) => data?.get(id) ?? id
}
