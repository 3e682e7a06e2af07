// Making API keys. Only the hash is stored; the prefix identifies a key in lists and in the audit log.
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { newId, type Uuid } from '../shapes/ids.ts'

type KeyKind = 'svc_sk_' | 'svc_ak_'

const prefixLength = 20

const prefixOf = (secret: string): string => secret.slice(0, prefixLength)

/** The prefix of whatever an `Authorization` header sends as a key, however malformed; null if it does not resemble a key. */
export function sentPrefix(authorization: string | undefined): string | null {
  const sent = /^Bearer (svc_\S+)/i.exec(authorization ?? '')?.[1]
  return sent ? prefixOf(sent) : null
}

export type MintedKey = { id: Uuid; secret: string; hash: Buffer; prefix: string; createdAt: Date }

export function mintKey(kind: KeyKind, now: Date): MintedKey {
  const secret = kind + randomToken()
  return { id: newId(), secret, hash: sha256(secret), prefix: prefixOf(secret), createdAt: now }
}
