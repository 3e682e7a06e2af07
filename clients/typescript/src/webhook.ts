// Whether a delivery is genuine. WebCrypto compares in constant time.
import { CalendarError } from './apiError.ts'
import type { WebhookPayloads } from './generated/schemas.ts'

type HeaderRecord = Record<string, string | readonly string[] | undefined>

export type WebhookDelivery = {
  /** The raw body, before anything parsed it. */
  body: string | Uint8Array | ArrayBuffer
  headers: Headers | HeaderRecord
  /** `whsec_…`; several while a secret is rotated. */
  secret: string | readonly string[]
  /** How far the time of the signature may be from now. Default: 300. */
  toleranceSeconds?: number
  /** Default: the clock of this machine. */
  now?: Date
}

type EventOf<Type extends keyof WebhookPayloads> = {
  /** From a header that X-Signature does not cover. */
  type: Type
  payload: WebhookPayloads[Type]
  /** The same for every attempt: if you have seen it, you already have this delivery. */
  deliveryId: string
  changeId: string | undefined
  calendarRevision: number | undefined
  /** Sent by `webhooks.test`. */
  isTest: boolean
  signedAt: Date
}

/** One of the events in the catalog: `type` decides what `payload` is. */
export type WebhookEvent = { [Type in keyof WebhookPayloads]: EventOf<Type> }[keyof WebhookPayloads]

export class WebhookVerificationError extends CalendarError {
  override name = 'WebhookVerificationError'
  readonly reason: 'missing_headers' | 'wrong_signature' | 'too_old' | 'too_new' | 'not_json'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const maxSignatures = 10

/**
 * Checks the signature and the time of a delivery, by X-Signature or by Standard Webhooks, and reads it. Throws
 * `WebhookVerificationError`: answer 401 then.
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const header = headerReader(delivery.headers)
  const body = bytesOf(delivery.body)
  const secrets = [delivery.secret].flat()
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== 'string' || secret.length < 8)) {
    throw new TypeError('secret must be the signing secret of the webhook (whsec_…).')
  }
  const candidates = [...ofStandard(header), ...ofOwn(header)]
  if (candidates.length === 0) {
    throw new WebhookVerificationError(
      'missing_headers',
      'The delivery has no signature and time that could be checked.',
    )
  }
  const found = await findGenuine(candidates, secrets, body)
  if (!found)
    throw new WebhookVerificationError('wrong_signature', 'The signature does not fit the body and the secret.')
  const signedAt = new Date(Number(found.timestamp) * 1000)
  checkTime(signedAt, delivery.now ?? new Date(), delivery.toleranceSeconds ?? 300)
  return {
    type: header('x-service-event-type') ?? '',
    payload: readPayload(body),
    deliveryId: found.id ?? header('x-delivery-id') ?? '',
    changeId: header('x-change-id'),
    calendarRevision: numberOf(header('x-calendar-revision')),
    isTest: header('x-service-test') === 'true',
    signedAt,
  } as WebhookEvent
}

type Candidate = {
  /** The signed text before the body. */
  prefix: string
  timestamp: string
  /** Only if it is signed. */
  id?: string
  signature: Uint8Array<ArrayBuffer>
  keyOf: (secret: string) => Uint8Array<ArrayBuffer> | undefined
}

type HeaderReader = (name: string) => string | undefined

/** `sha256=<hex>` over `<timestamp>.<body>`. In an overlap, X-Signature-Next is of the new secret. */
function ofOwn(header: HeaderReader): Candidate[] {
  const timestamp = secondsOf(header('x-timestamp'))
  if (timestamp === undefined) return []
  return ['x-signature', 'x-signature-next'].flatMap((name) => {
    const hex = /^sha256=([0-9a-f]{64})$/.exec(header(name) ?? '')?.[1]
    if (!hex) return []
    const signature = Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16))
    return [{ prefix: `${timestamp}.`, timestamp, signature, keyOf: encode }]
  })
}

/** `v1,<base64>` over `<id>.<timestamp>.<body>`, several of them with spaces between. */
function ofStandard(header: HeaderReader): Candidate[] {
  const id = header('webhook-id')
  const timestamp = secondsOf(header('webhook-timestamp'))
  if (!id || timestamp === undefined) return []
  return (header('webhook-signature') ?? '')
    .split(' ', maxSignatures)
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => {
      const signature = fromBase64(one.slice('v1,'.length))
      if (signature?.length !== 32) return []
      return [{ prefix: `${id}.${timestamp}.`, timestamp, id, signature, keyOf: keyOfStandard }]
    })
}

const keyOfStandard = (secret: string) => fromBase64(secret.replace(/^whsec_/, ''))

async function findGenuine(candidates: readonly Candidate[], secrets: readonly string[], body: Uint8Array) {
  for (const candidate of candidates) {
    for (const secret of secrets) {
      const bytes = candidate.keyOf(secret)
      if (!bytes || bytes.length === 0) continue
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
      const signed = joined(encode(candidate.prefix), body)
      if (await crypto.subtle.verify('HMAC', key, candidate.signature, signed)) return candidate
    }
  }
  return undefined
}

function checkTime(signedAt: Date, now: Date, toleranceSeconds: number): void {
  const age = (now.getTime() - signedAt.getTime()) / 1000
  // Written so that NaN is refused.
  if (!(age <= toleranceSeconds)) throw new WebhookVerificationError('too_old', 'The signature is too old.')
  if (!(age >= -toleranceSeconds)) throw new WebhookVerificationError('too_new', 'The signature is from the future.')
}

function headerReader(headers: Headers | HeaderRecord): HeaderReader {
  if (typeof (headers as Headers).get === 'function') return (name) => (headers as Headers).get(name) ?? undefined
  const byName = new Map(Object.entries(headers as HeaderRecord).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = byName.get(name)
    return typeof value === 'string' ? value : value?.length === 1 ? value[0] : undefined
  }
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body must be the raw body, as text or bytes. A parsed body cannot be checked.')
}

function readPayload(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is genuine, but not JSON.')
  }
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const secondsOf = (text: string | undefined) => (text && /^\d{1,12}$/.test(text) ? text : undefined)

const numberOf = (text: string | undefined) => (text && /^\d{1,15}$/.test(text) ? Number(text) : undefined)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
