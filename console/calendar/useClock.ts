import { time } from '../parts/times.ts'
import { settings } from '../state/settings.ts'
import { useStore } from '../state/useStore.ts'

/** How a minute of the day reads, by the clock that the person has chosen. */
export function useClock(): (minute: number) => string {
  const { clock } = useStore(settings)
  return (minute) => time(new Date(minute * 60_000), { timezone: 'UTC', clock })
}
