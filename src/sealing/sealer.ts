// Encryption at rest: AES-256-GCM under a ring of keys. A sealed value opens only as the value it was sealed as.
import { createCipheriv, createDecipheriv, createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto'

type KeyRing = readonly { id: string; secret: Buffer }[]

/** Table, column and row: the associated data, so that a sealed value cannot be moved elsewhere. */
export type SealContext = `${string}.${string}:${string}`

export type Sealer = {
  /** The first bytes of every value that the first key of the ring sealed. */
  header: Buffer
  seal(context: SealContext, text: string): Buffer
  unseal(context: SealContext, sealed: Uint8Array): string
}

const nonceBytes = 12
const tagBytes = 16
/** Without it Node also accepts a tag of 4 bytes, which can be guessed. */
const tagOptions = { authTagLength: tagBytes }

/** Nonces are drawn in bulk, because a call for random bytes costs more than the cipher. Each is used once. */
function openNonces(): () => Buffer {
  const drawn = 512
  let pool = Buffer.alloc(0)
  return () => {
    if (pool.length === 0) pool = randomBytes(drawn * nonceBytes)
    const nonce = pool.subarray(0, nonceBytes)
    pool = pool.subarray(nonceBytes)
    return nonce
  }
}

/** Layout: length of the key id (1 byte), key id, nonce, tag, ciphertext. The first key encrypts, all decrypt. */
export function openSealer(ring: KeyRing): Sealer {
  // Key objects, because Node makes one from plain bytes for every value, at five times the cost of the cipher.
  const keys = ring.map(({ id, secret }) => ({ id, secret: createSecretKey(secret) }))
  const [current] = keys
  if (!current) throw new Error('the key ring is empty')
  const nextNonce = openNonces()
  const header = Buffer.concat([Buffer.from([current.id.length]), Buffer.from(current.id)])
  return {
    header,
    seal(context, text) {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', current.secret, nonce)
      cipher.setAAD(Buffer.from(context))
      const body = cipher.update(text, 'utf8')
      cipher.final()
      return Buffer.concat([header, nonce, cipher.getAuthTag(), body])
    },
    unseal(context, bytes) {
      const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const idEnd = 1 + (sealed[0] ?? 0)
      const id = sealed.toString('utf8', 1, idEnd)
      const key = keys.find((candidate) => candidate.id === id)
      if (!key)
        throw new Error(`no encryption key with the id ${JSON.stringify(id)}: is it missing in ENCRYPTION_KEYS?`)
      const tagStart = idEnd + nonceBytes
      const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(idEnd, tagStart), tagOptions)
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(tagStart, tagStart + tagBytes))
      const text = decipher.update(sealed.subarray(tagStart + tagBytes))
      decipher.final()
      return text.toString()
    },
  }
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Compares hashes, so that the time that it takes reveals neither the length nor the beginning of a secret. */
export const areEqual = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other))

/** Random bytes in characters that need no escaping in a URL. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
