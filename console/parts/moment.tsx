import { settings } from '../state/settings.ts'
import { useStore } from '../state/useStore.ts'
import { moment, span } from './times.ts'

/** A moment, or a stretch of time, in the chosen zone; its title is UTC. */
export function Moment({ at, end }: { at: string; end?: string }) {
  const shown = useStore(settings)
  const title = end ? `${at} – ${end}` : at
  return (
    <time dateTime={at} title={title}>
      {end ? span(at, end, shown) : moment(at, shown)}
    </time>
  )
}
