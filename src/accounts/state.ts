// The state that must come back with the answer of a provider. It travels in a cookie that only this installation can sign, so
// that a sign-in can only be finished in the browser that began it.
import { createSecretKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { App } from '../app.ts'
import { uuid } from '../shapes/ids.ts'

export const stateMs = 10 * 60_000

const audience = 'sign-in'
const algorithm = 'HS256'
const keyOf = (secret: string) => createSecretKey(secret, 'utf8')

const state = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  tos: z.string().optional(),
  /** The session that is to be re-authenticated; without it, the person signs in. */
  sessionId: uuid.optional(),
  /** A page of ours to which the browser goes afterwards. */
  returnTo: z.string().optional(),
  /** The sealed token of an invitation that is accepted. */
  invitation: z.string().optional(),
})
export type SignInState = z.infer<typeof state>

export const sealState = ({ config, clock }: App, claims: SignInState): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm })
    .setAudience(audience)
    .setExpirationTime(Math.floor((clock.now().getTime() + stateMs) / 1000))
    .sign(keyOf(config.sessionSecrets[0]!))

export async function openState({ config, clock }: App, sealed: string): Promise<SignInState | undefined> {
  for (const secret of config.sessionSecrets) {
    const options = { algorithms: [algorithm], audience, currentDate: clock.now() }
    const verified = await jwtVerify(sealed, keyOf(secret), options).catch(() => undefined)
    if (verified) return state.safeParse(verified.payload).data
  }
  return undefined
}
