// The token of a console session: a JWT signed with HS256. The first secret signs, all verify, so that secrets can be rotated.
import { createSecretKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { App } from '../app.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'

export const sessionMs = 12 * 60 * 60 * 1000

const algorithm = 'HS256'
const audience = 'console'
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const keyOf = (secret: string) => createSecretKey(secret, 'utf8')
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Claims = { orgId: Uuid; sessionId: Uuid }

export const signToken = ({ config }: App, { orgId, sessionId }: Claims, now: Date, expiresAt: Date): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(encodeId('org', orgId))
    .setJti(sessionId)
    .setAudience(audience)
    .setIssuedAt(seconds(now))
    .setExpirationTime(seconds(expiresAt))
    .sign(keyOf(config.sessionSecrets[0]!))

/** The session. Undefined for a token that this installation did not sign or that has expired. Which organization it acts in, its row says. */
export async function readToken({ config, clock }: App, token: string): Promise<Uuid | undefined> {
  for (const secret of config.sessionSecrets) {
    const options = { algorithms: [algorithm], audience, currentDate: clock.now() }
    const verified = await jwtVerify(token, keyOf(secret), options).catch(() => undefined)
    if (!verified) continue
    const { jti = '' } = verified.payload
    return uuidPattern.test(jti) ? (jti as Uuid) : undefined
  }
  return undefined
}
