// Where a subscription's deliveries go, and with which keys they are signed at a moment.
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openHeaders, secretContext, urlContext } from './present.ts'
import type { TargetRow } from './queries.ts'
import { standardKey } from './signature.ts'

const maxRemembered = 10_000

/** `own`: for `X-Signature`. `standard`: for `webhook-signature`. */
type SecretKeys = { own: KeyObject; standard: KeyObject }

export type Target = {
  url: string
  /** The first one signs `X-Signature`, a second one `X-Signature-Next`: during an overlap the previous secret stays first. */
  keys: readonly [SecretKeys, SecretKeys?]
  /** Those that the receiver asks for. */
  headers?: Record<string, string> | undefined
}

/** Opened values are remembered by their sealed ones, so that a change takes effect at once. */
export function openTargets({ sealer }: Pick<App, 'sealer'>): (row: TargetRow, now: Date) => Target {
  const remember = <Value>(open: (id: Uuid, sealed: Buffer) => Value) => {
    const known = new Map<string, Value>()
    return (id: Uuid, sealed: Buffer): Value => {
      const name = `${id}${sealed.toString('latin1')}`
      const remembered = known.get(name)
      if (remembered) return remembered
      const value = open(id, sealed)
      if (known.size >= maxRemembered) known.clear()
      known.set(name, value)
      return value
    }
  }
  const urlOf = remember((id, sealed) => sealer.unseal(urlContext(id), sealed))
  const keysOf = remember((id, sealed): SecretKeys => {
    const secret = sealer.unseal(secretContext(id), sealed)
    return { own: createSecretKey(secret, 'utf8'), standard: createSecretKey(standardKey(secret)) }
  })
  const headersOf = remember((id, headersSealed) => openHeaders({ sealer }, { id, headersSealed }))
  return ({ subscriptionId, urlSealed, secretSealed, secretPreviousSealed, previousExpiresAt, headersSealed }, now) => {
    const current = keysOf(subscriptionId, secretSealed)
    const url = urlOf(subscriptionId, urlSealed)
    const headers = headersSealed === null ? undefined : headersOf(subscriptionId, headersSealed)
    if (!secretPreviousSealed || !previousExpiresAt || previousExpiresAt <= now)
      return { url, keys: [current], headers }
    return { url, keys: [keysOf(subscriptionId, secretPreviousSealed), current], headers }
  }
}
