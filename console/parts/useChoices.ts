import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'

const limit = 100

/** Calendars and agents by name, for pickers. */
export function useChoices() {
  const agents = useRead(['list', 'agent', 'choices'], (options) => service.agents.list({ ...options, limit }))
  const calendars = useRead(['list', 'calendar', 'choices'], (options) =>
    service.calendars.list({ ...options, limit, include: 'all' }),
  )
  const named = (things: readonly { id: string; name: string }[] = []) =>
    things.map(({ id, name }) => ({ value: id, label: name }))
  return {
    agents: named(agents.data?.data.filter(({ status }) => status !== 'decommissioned')),
    calendars: named(calendars.data?.data),
  }
}
