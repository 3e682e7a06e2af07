// The token of a console session: a JWT signed with HS256. The first secret signs, all verify, so that secrets can be rotated.
import { createSecretKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { App } from '../app.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'

export const sessionMs = 12 * 60 * 60 * 1000

const algorithm = 'HS256'
const audience = 'console'
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Claims = { orgId: Uuid; sessionId: Uuid }

export const signToken = (app: App, { orgId, sessionId }: Claims, now: Date, expiresAt: Date): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(encodeId('org', orgId))
    .setJti(sessionId)
    .setAudience(audience)
    .setIssuedAt(seconds(now))
    .setExpirationTime(seconds(expiresAt))
    .sign(keysOf(app)[0]!)

/** The session. Undefined for a token that this installation did not sign or that has expired. Which organization it acts in, its row says. */
export async function readToken(app: App, token: string): Promise<Uuid | undefined> {
  const known = app.memory(openVerified)
  let read = known.get(token)
  if (!read) {
    read = await verify(app, token)
    if (!read) return undefined
    if (known.size >= maxVerified) known.clear()
    known.set(token, read)
  }
  return read.expiresAt > seconds(app.clock.now()) ? read.sessionId : undefined
}

/** `expiresAt`: in seconds. */
type Verified = { sessionId: Uuid; expiresAt: number }

/** Tokens whose signature this process has checked. The secrets stay the same while it runs. */
const openVerified = () => new Map<string, Verified>()
const maxVerified = 10_000

async function verify(app: App, token: string): Promise<Verified | undefined> {
  for (const key of keysOf(app)) {
    const options = { algorithms: [algorithm], audience, currentDate: app.clock.now(), requiredClaims: ['exp'] }
    const verified = await jwtVerify(token, key, options).catch(() => undefined)
    if (!verified) continue
    const { jti = '', exp = 0 } = verified.payload
    return uuidPattern.test(jti) ? { sessionId: jti as Uuid, expiresAt: exp } : undefined
  }
  return undefined
}

const keysOf = (app: App) => app.memory(openKeys)
const openKeys = ({ config }: App) => config.sessionSecrets.map((secret) => createSecretKey(secret, 'utf8'))
