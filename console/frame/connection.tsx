import { connection } from '../service/live.ts'
import { useStore } from '../state/useStore.ts'
import { texts } from '../texts.ts'

export function Connection() {
  const state = useStore(connection)
  return (
    <span role="status" aria-label={texts.connection} className={`connection ${state}`}>
      {texts.connections[state]}
    </span>
  )
}
