import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import type { Find, Option } from './options.ts'

const limit = 100

/** The calendars to choose from. */
export const useCalendarChoices = (enabled = true) =>
  useRead(['list', 'calendar', 'choices'], (options) => service.calendars.list({ ...options, limit, include: 'all' }), {
    enabled,
  })

type Named = { id: string; name: string }
type Page<T extends Named> = { data: readonly T[]; total: number }

const optionOf = ({ id, name }: Named): Option => ({ value: id, label: name })
const isOpen = ({ status }: { status: string }) => status !== 'decommissioned'

const findAgents: Find = async (query, signal) =>
  (await service.agents.list({ signal, query, limit })).data.filter(isOpen).map(optionOf)

/** By name; `isMeant` leaves some out. */
export const calendarFinder =
  (isMeant: (calendar: { agentId: string | null }) => boolean = () => true): Find =>
  async (query, signal) =>
    (await service.calendars.list({ signal, query, limit, include: 'all' })).data.filter(isMeant).map(optionOf)

const findCalendars = calendarFinder()

const isWhole = (page: Page<Named> | undefined) => !page || page.total <= page.data.length

function nameIn(page: Page<Named> | undefined) {
  const names = new Map(page?.data.map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? id
}

/** Calendars and agents by name, for pickers; those that there is no room for are found as a person types. Many screens need the agents alone. */
export function useChoices({ withCalendars = true } = {}) {
  const agents = useRead(['list', 'agent', 'choices'], (options) => service.agents.list({ ...options, limit }))
  const calendars = useCalendarChoices(withCalendars)
  return {
    agents: agents.data?.data.filter(isOpen).map(optionOf) ?? [],
    calendars: calendars.data?.data.map(optionOf) ?? [],
    findAgents: isWhole(agents.data) ? undefined : findAgents,
    findCalendars: isWhole(calendars.data) ? undefined : findCalendars,
    nameOfCalendar: nameIn(calendars.data),
  }
}
