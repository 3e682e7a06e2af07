// The page that says why an authorization at a provider failed.
import type { App } from '../../src/app.ts'
import type { FailureReason } from '../../src/connections/finishOauth.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { connectPage } from './connectFrame.ts'
import { html } from './html.ts'

const sentences: Record<FailureReason, string> = {
  denied: 'You did not give permission at the provider, so nothing was connected.',
  expired: 'This took too long, or was started in another browser. Open the link again and start over.',
  scope_missing: 'You did not give permission to see when you are busy, so nothing was connected.',
  account_mismatch: 'This is not the account that is connected. Nothing was changed.',
  provider_error: 'The provider does not respond correctly. Please try again later.',
  quota: 'Your organization has as many connections as its plan allows. Disconnect one first.',
  unavailable: 'That is our fault: we cannot connect calendars at the moment. Please start over in a few minutes.',
  too_many: 'Too many accounts were being connected at once. Nothing was changed. Wait a minute, then start over.',
}

export const failedPage = (app: App, reason: FailureReason): RawAnswer =>
  connectPage(
    app,
    200,
    'Your calendar was not connected',
    html`<p>${sentences[reason]}</p><p><a class="button" href="${rootOf(app)}/connect">Your connections</a></p>`,
  )
