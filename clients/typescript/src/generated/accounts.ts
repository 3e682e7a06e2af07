// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, Redirect, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { AccountExport, DryRun, Organization, SignedIn } from './schemas.ts'

export type SignUpBody = {
  email: string
  password: string
  /** The name of the organization. Default: the local part of the address. */
  name?: string
  tos_version: string
}

export type SignUpOptions = ReadOptions

export type SignInBody = {
  email: string
  password: string
}

export type SignInOptions = ReadOptions

export type SignOutOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetAccountOptions = ReadOptions

export type RequestPasswordResetBody = {
  email: string
}

export type RequestPasswordResetOptions = ReadOptions

export type ResetPasswordBody = {
  token: string
  password: string
}

export type ResetPasswordOptions = ReadOptions

export type ShowPasswordResetOptions = ReadOptions & {
  token?: string
}

export type RequestEmailLinkOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type VerifyEmailBody = {
  token: string
  /** The password of the sign-up. Required unless the request has the session of the sign-up. */
  password?: string
}

export type VerifyEmailOptions = ReadOptions

export type ShowEmailVerificationOptions = ReadOptions & {
  token?: string
}

export type StartOauthSignInOptions = ReadOptions & {
  tos_version?: string
  return_to?: string
}

export type FinishOauthSignInOptions = ReadOptions & {
  code?: string
  state?: string
}

export type ExportAccountOptions = ReadOptions

export type DeleteAccountOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export class AccountsGroup extends Group {
  /**
   * Sign up for the console.
   *
   * Creates an organization on the free plan, and mails a link that proves its address (`POST /v1/auth/email/verify`). The session is in the body and in the cookie `svc_session`; use it to create an API key. `tos_version` is the `version` of `GET /v1/auth/terms/current`. A client address may sign up 100 times an hour, a mail domain 200 times.
   *
   * `POST /v1/auth/signup`
   */
  signUp(body: SignUpBody, options?: SignUpOptions): Call<SignedIn> {
    return this.send(operations.signUp, {}, body, options)
  }

  /**
   * Sign in to the console.
   *
   * The token works as a bearer token for 12 hours, and is also set as the cookie `svc_session`. An unknown address and a wrong password get the same answer. After 10 failures in 15 minutes for one address from one place, the answer is `rate_limit_error`.
   *
   * `POST /v1/auth/signin`
   */
  signIn(body: SignInBody, options?: SignInOptions): Call<SignedIn> {
    return this.send(operations.signIn, {}, body, options)
  }

  /**
   * Sign out.
   *
   * From now on every process refuses the token.
   *
   * `POST /v1/auth/signout`
   */
  signOut(options: SignOutOptions & { dry_run: true }): Call<DryRun>
  signOut(options?: SignOutOptions): Call<void>
  signOut(options?: SignOutOptions): Call<any> {
    return this.send(operations.signOut, {}, undefined, options)
  }

  /**
   * Get the signed-in organization.
   *
   * Also works for organizations on the waitlist. A null `accepted_terms_version` means that no terms have been accepted yet.
   *
   * `GET /v1/auth/me`
   */
  get(options?: GetAccountOptions): Call<{
    org: Organization
  }> {
    return this.send(operations.getAccount, {}, undefined, options)
  }

  /**
   * Request a link to set a new password.
   *
   * The answer is the same for every address, known or unknown. The link works once, for 30 minutes; an address gets at most 5 links an hour. It also sets the first password of an organization that never had one.
   *
   * `POST /v1/auth/password/forgot`
   */
  requestPasswordReset(body: RequestPasswordResetBody, options?: RequestPasswordResetOptions): Call<{
    message: string
  }> {
    return this.send(operations.requestPasswordReset, {}, body, options)
  }

  /**
   * Set a new password.
   *
   * Takes the token of the mailed link, and ends every session. If the address was not proven before, everything made until then is switched off: keys, webhooks, booking pages and feed addresses. A mail lists what was switched off. A token that was used, has expired or never existed changes nothing; `message` says so.
   *
   * `POST /v1/auth/password/reset`
   */
  resetPassword(body: ResetPasswordBody, options?: ResetPasswordOptions): Call<{
    message: string
  }> {
    return this.send(operations.resetPassword, {}, body, options)
  }

  /**
   * The page behind the mailed link.
   *
   * A form for people. The token is checked only when the password is sent.
   *
   * `GET /v1/auth/password/reset`
   */
  showPasswordReset(options?: ShowPasswordResetOptions): Call<string> {
    return this.send(operations.showPasswordReset, {}, undefined, options)
  }

  /**
   * Request a link that proves the address.
   *
   * Signing up mails the first link; this mails another one, which works for 24 hours. An address gets at most 5 links an hour, links to set a password included. An address that is already proven is `conflict`.
   *
   * `POST /v1/auth/email/link`
   */
  requestEmailLink(options: RequestEmailLinkOptions & { dry_run: true }): Call<DryRun>
  requestEmailLink(options?: RequestEmailLinkOptions): Call<{
    message: string
  }>
  requestEmailLink(options?: RequestEmailLinkOptions): Call<any> {
    return this.send(operations.requestEmailLink, {}, undefined, options)
  }

  /**
   * Prove the address of a sign-up.
   *
   * Takes the token of the mailed link, and proof that the caller is the person who signed up: their session (cookie or bearer token) or their `password`. Everything made before stays. Without such proof, `POST /v1/auth/password/reset` with the same token also proves the address, and switches off what was made before. A token that was used, has expired or never existed, and a wrong password, are `validation_error`.
   *
   * `POST /v1/auth/email/verify`
   */
  verifyEmail(body: VerifyEmailBody, options?: VerifyEmailOptions): Call<{
    org: Organization
  }> {
    return this.send(operations.verifyEmail, {}, body, options)
  }

  /**
   * The page behind the mailed link of a sign-up.
   *
   * Forms for people. Opening the page changes nothing.
   *
   * `GET /v1/auth/email/verify`
   */
  showEmailVerification(options?: ShowEmailVerificationOptions): Call<string> {
    return this.send(operations.showEmailVerification, {}, undefined, options)
  }

  /**
   * Sign in through an identity provider.
   *
   * Redirects a browser to the provider; a cookie keeps the state. A new account needs `tos_version`, the version of the current terms of service. A provider that is unknown or not configured is `not_found`.
   *
   * `GET /v1/auth/oauth/{provider}`
   */
  startOauthSignIn(provider: string, options?: StartOauthSignInOptions): Call<Redirect> {
    return this.send(operations.startOauthSignIn, { provider }, undefined, options)
  }

  /**
   * The address that an identity provider redirects to.
   *
   * The browser calls it, not you; the answer is that of signing in. The provider proves the address: if it was not proven before, everything made until then is switched off, as when a new password is set. An address that the provider does not vouch for is `forbidden`.
   *
   * `GET /v1/auth/oauth/{provider}/callback`
   */
  finishOauthSignIn(provider: string, options?: FinishOauthSignInOptions): Call<SignedIn> {
    return this.send(operations.finishOauthSignIn, { provider }, undefined, options)
  }

  /**
   * Export all data of the organization.
   *
   * One JSON file with the secrets of webhooks in plain text, and without keys. An organization may export 10 times an hour; failed exports count.
   *
   * `GET /v1/auth/export`
   */
  export(options?: ExportAccountOptions): Call<AccountExport> {
    return this.send(operations.exportAccount, {}, undefined, options)
  }

  /**
   * Delete the organization and everything in it.
   *
   * Irreversible. The acceptances of the terms of service stay on record, without the organization.
   *
   * `DELETE /v1/auth/account`
   */
  delete(options: DeleteAccountOptions & { dry_run: true }): Call<DryRun>
  delete(options?: DeleteAccountOptions): Call<void>
  delete(options?: DeleteAccountOptions): Call<any> {
    return this.send(operations.deleteAccount, {}, undefined, options)
  }
}
