// A connection to the server that takes writes, of those that the address names. A standby answers too, but it is behind, and
// takes no change.
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

const allWithinMs = 5_000

const tooSlow = () =>
  Object.assign(new Error('Postgres did not answer a new connection in time'), { code: 'CONNECT_TIMEOUT' })

type PrimaryOptions = Omit<ConnectionOptions, 'nthHost' | 'address'>

/** Asks the hosts in turn, the last one that was right first. Rejects once none of them is right, or with the signal's reason. */
export function openPrimaries(address: ConnectionOptions['address']) {
  const { hosts, connectTimeout } = address
  const withinMs = connectTimeout === undefined ? allWithinMs / hosts.length : connectTimeout * 1_000
  let right = 0
  return async (options: PrimaryOptions, onClose: () => void): Promise<Connection> => {
    const first = right
    const errors: unknown[] = []
    for (const nth of hosts.keys()) {
      options.signal.throwIfAborted()
      const nthHost = (first + nth) % hosts.length
      try {
        const connection = await openWithin(withinMs, { ...options, address, nthHost }, onClose)
        right = nthHost
        return connection
      } catch (error) {
        errors.push(error)
      }
    }
    throw errors.find((error) => !isStandby(error)) ?? errors[0]
  }
}

const isStandby = (error: unknown) => (error as { code?: string }).code === 'STANDBY'

async function openWithin(ms: number, options: ConnectionOptions, onClose: () => void): Promise<Connection> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(tooSlow()), ms)
  try {
    return await openConnection({ ...options, signal: AbortSignal.any([options.signal, slow.signal]) }, onClose)
  } finally {
    clearTimeout(timer)
  }
}
