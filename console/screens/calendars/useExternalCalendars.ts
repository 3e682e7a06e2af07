import type { Option } from '../../parts/options.ts'
import { service } from '../../service/service.ts'
import { useRead } from '../../service/useRead.ts'

const limit = 100

/** The calendars of the person's own connections that copies of events can be written to. */
export function useExternalCalendars(enabled: boolean): readonly Option[] {
  const { data } = useRead(
    ['list', 'connection', 'writable'],
    async (options) => {
      const { data } = await service.connections.list({ ...options, limit })
      const own = data.filter((one) => !one.member_id && one.capabilities.includes('publishing'))
      const opened = await Promise.all(own.map(({ id }) => service.connections.get(id, options)))
      return opened.flatMap(({ account_label, calendars }) =>
        calendars
          .filter(({ writable }) => writable)
          .map(({ id, name }) => ({ value: id, label: account_label ? `${name} (${account_label})` : name })),
      )
    },
    { enabled },
  )
  return data ?? []
}
