import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'

const limit = 100

/** The calendars to choose from. */
export const useCalendarChoices = (enabled = true) =>
  useRead(['list', 'calendar', 'choices'], (options) => service.calendars.list({ ...options, limit, include: 'all' }), {
    enabled,
  })

/** Calendars and agents by name, for pickers. Many screens need the agents alone. */
export function useChoices({ withCalendars = true } = {}) {
  const agents = useRead(['list', 'agent', 'choices'], (options) => service.agents.list({ ...options, limit }))
  const calendars = useCalendarChoices(withCalendars)
  const named = (things: readonly { id: string; name: string }[] = []) =>
    things.map(({ id, name }) => ({ value: id, label: name }))
  const nameIn = (things: readonly { id: string; name: string }[] = []) => {
    const names = new Map(things.map(({ id, name }) => [id, name]))
    return (id: string) => names.get(id) ?? id
  }
  return {
    agents: named(agents.data?.data.filter(({ status }) => status !== 'decommissioned')),
    calendars: named(calendars.data?.data),
    nameOfAgent: nameIn(agents.data?.data),
    nameOfCalendar: nameIn(calendars.data?.data),
  }
}
