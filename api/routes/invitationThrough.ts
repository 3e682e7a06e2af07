// An invitation that is accepted through a provider of identities: the begin of the way, and its end.
import type { Identity } from '../../src/accounts/oidc.ts'
import type { SignInState } from '../../src/accounts/state.ts'
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import { invitationTries, requireInvitation } from '../../src/members/openInvitation.ts'
import { throttleAddress } from '../../src/quotas/throttle.ts'
import { sha256 } from '../../src/sealing/sealer.ts'
import { joinThrough } from '../../src/signup/signUpInvited.ts'
import { signedIn } from '../gate/session.ts'
import { forgottenState } from '../gate/signInState.ts'
import { asksForHtml } from '../http/accept.ts'
import { type Answer, RawAnswer, type RefusedCall } from '../http/route.ts'
import { acceptedPage, deadInvitationPage, unknownToProviderPage } from '../pages/invitation.ts'
import type { PageRequest } from './connectPageParts.ts'

const wayContext = 'invitations.token:oauth'

/** The sealed token: the cookie of the way is no place for a secret. */
export async function beginInvitation(app: App, ip: string | null, token: string): Promise<string> {
  await throttleAddress(app, invitationTries, ip)
  await requireInvitation(app, sha256(token))
  return app.sealer.seal(wayContext, token).toString('base64url')
}

/** Empty if it was sealed under a key that is no longer there. */
export function sentInvitation({ sealer }: App, { invitation = '' }: SignInState): string {
  try {
    return sealer.unseal(wayContext, Buffer.from(invitation, 'base64url'))
  } catch {
    return ''
  }
}

/** The answer of signing in; for a browser a page. */
export async function finishInvitation(
  { app, request, headers }: PageRequest,
  identity: Identity,
  state: SignInState,
): Promise<Answer | RawAnswer> {
  const link = { hash: sha256(sentInvitation(app, state)), tosVersion: state.tos }
  const { requiresFactor } = await requireInvitation(app, link.hash)
  const joined = await joinThrough(app, request, identity, link)
  const answer = signedIn(app, 200, joined, forgottenState(app))
  if (!asksForHtml(headers)) return answer
  // Somebody with a factor is asked for its code instead.
  const page = acceptedPage(app, { name: joined.org.name, role: joined.member.role, lacksFactor: requiresFactor })
  return new RawAnswer(page.status, { ...page.headers, ...answer.headers }, page.body)
}

/** A person who followed an invitation reads why they have not joined. */
export async function showInvitationRefusal({ detail: { code, param } }: ServiceError, { app, headers }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  if (code === 'wrong_account') return unknownToProviderPage(app)
  return param === 'token' ? deadInvitationPage(app) : undefined
}
