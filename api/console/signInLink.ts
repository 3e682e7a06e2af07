// The link by which `npm start` signs the owner of the demo organization in, once. It works only after the process that supervises
// this one has sent its hash, over a channel that only `npm start` opens; everywhere else every such address is a dead link.
import express, { type Request, type Response, type Router } from 'express'
import { z } from 'zod'
import { findAccount } from '../../src/accounts/accounts.ts'
import { enter } from '../../src/accounts/signIn.ts'
import { sessionMs } from '../../src/accounts/token.ts'
import type { App } from '../../src/app.ts'
import { ServiceError } from '../../src/errors.ts'
import { areEqual, sha256 } from '../../src/sealing/sealer.ts'
import { idInput } from '../../src/shapes/fields.ts'
import { decodeId } from '../../src/shapes/ids.ts'
import { ensureFirstOwner } from '../../src/signup/firstOwner.ts'
import { cookie, sessionCookie } from '../gate/session.ts'
import { otherMethods } from '../http/errors.ts'
import { exchangeOf, nameRoute } from '../http/exchange.ts'
import { contextOf } from '../http/identity.ts'
import { rootOf } from '../http/root.ts'
import { RawAnswer } from '../http/route.ts'
import { sendRaw } from '../http/send.ts'
import { connectPage } from '../pages/connectFrame.ts'
import { html } from '../pages/html.ts'

const signInLink = z.object({
  kind: z.literal('sign_in_link'),
  org_id: idInput('org'),
  email: z.string(),
  /** Of the account, if it is still to be made. */
  password: z.string(),
  /** SHA-256 of the token, in hex. */
  token_hash: z.string(),
  valid_for_ms: z.number(),
})

type Waiting = { email: string; tokenHash: string; endsAt: Date; owner: Promise<void> }

const path = '/console/welcome'
const waiting = new WeakMap<App, Waiting>()

/** A message of the supervisor; others are ignored. A later link replaces an earlier one. */
export function takeSignInLink(app: App, message: unknown): void {
  const { data } = signInLink.safeParse(message)
  if (!data) return
  const { email, password, token_hash: tokenHash } = data
  const owner = ensureFirstOwner(app, { orgId: decodeId('org', data.org_id)!, email, password })
  owner.catch((error: Error) => app.log.warn({ error: error.message }, 'the owner of the demo was not made'))
  waiting.set(app, { email, tokenHash, owner, endsAt: new Date(app.clock.now().getTime() + data.valid_for_ms) })
}

export function signInLinkRouter(app: App): Router {
  const router = express.Router({ caseSensitive: true })
  router
    .route(`${path}/:token`)
    .all(nameRoute(`${path}/:token`))
    .get(async (req, res) => sendRaw(res, await answerOf(app, req, res)))
    .all(otherMethods('GET'))
  return router
}

async function answerOf(app: App, req: Request<{ token: string }>, res: Response): Promise<RawAnswer> {
  const link = opened(app, req)
  const token = link && (await enterBy(app, link, req, res))
  if (!token) return deadLinkPage(app)
  return new RawAnswer(303, {
    Location: `${rootOf(app)}/console`,
    'Set-Cookie': cookie(app, sessionCookie, token, { maxAgeMs: sessionMs, path: '/' }),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  })
}

/** Takes the link, so that of two requests one gets it. Browsers fetch typed addresses ahead, and that must not use it up. */
function opened(app: App, { method, headers, params }: Request<{ token: string }>): Waiting | undefined {
  const link = waiting.get(app)
  if (!link || method !== 'GET' || headers['sec-purpose'] !== undefined) return undefined
  if (!areEqual(sha256(params.token).toString('hex'), link.tokenHash)) return undefined
  waiting.delete(app)
  return app.clock.now() < link.endsAt ? link : undefined
}

/** The token of a session; undefined if the account is gone or asks for a second factor. */
async function enterBy(app: App, link: Waiting, req: Request, res: Response): Promise<string | undefined> {
  await link.owner.catch(() => {})
  const account = await findAccount(app, link.email)
  if (!account) return undefined
  // The audit log has the address without its token.
  const { requestId: id } = exchangeOf(res)
  const request = contextOf(req, { id, path, startedAt: app.clock.now(), successStatus: 303 })
  try {
    return (await enter(app, request, account))?.token
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'authentication_error') return undefined
    throw error
  }
}

const deadLinkPage = (app: App): RawAnswer =>
  connectPage(
    app,
    404,
    'This link does not work any more',
    html`<p>It works once, and only for some minutes after <code>npm start</code> has printed it.</p>
<p>If this browser is signed in already, open the console. Otherwise sign in there with the address and the password that <code>npm start</code> printed, or start it again: it prints a new link.</p>
<p><a class="button" href="${rootOf(app)}/console">Open the console</a></p>`,
  )
