import { useMemo } from 'react'
import { service } from '../service/service.ts'
import { useRead } from '../service/useRead.ts'
import { common, stretchesOf } from './freeTimes.ts'

type Window = { start: string; end: string }
type Read = { signal: AbortSignal }

const readFree = async (ids: readonly string[], window: Window, { signal }: Read) =>
  Promise.all(
    ids.map(async (id) => {
      const { slots } = await service.availability.getForCalendar(id, { signal, ...window, duration: '15m' })
      return [id, stretchesOf(slots)] as const
    }),
  )

const none: Awaited<ReturnType<typeof readFree>> = []

/** Free stretches by calendar, and of all of them; asked for only when on. */
export function useFreeTimes(isOn: boolean, ids: readonly string[], window: Window) {
  const { data, error, refetch } = useRead(
    ['live', ['event', 'calendar', 'availability_rules'], 'free', ids, window],
    (options) => readFree(ids, window, options),
    { enabled: isOn && ids.length > 0 },
  )
  const found = isOn && data ? data : none
  const inAll = useMemo(() => (found.length > 0 ? common(found.map(([, stretches]) => stretches)) : []), [found])
  return {
    error: isOn ? error : null,
    refetch,
    of: (calendarId: string | undefined) => (calendarId ? (found.find(([id]) => id === calendarId)?.[1] ?? []) : inAll),
  }
}
