// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, Redirect, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { AccountExport, Checklist, DryRun, Factors, Organization, Providers, Reauthenticated, Session, SignedIn, SignedInThrough } from './schemas.ts'

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
  purpose?: "reauthenticate"
  invitation?: string
}

export type FinishOauthSignInOptions = ReadOptions & {
  code?: string
  state?: string
}

export type SignInWithCodeBody = {
  /** Six digits of the authenticator app, or a recovery code. Blanks and case do not matter. */
  code: string
  /** Of the answer to the sign-in. Default: the cookie `svc_factor`. */
  challenge?: string
  /** Of the form on our page. */
  return_to?: string
}

export type SignInWithCodeOptions = ReadOptions

export type ShowSignInFactorOptions = ReadOptions & {
  return_to?: string
}

export type ListSessionsOptions = ReadOptions

export type EndOtherSessionsOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type EndSessionOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ChangePasswordBody = {
  current_password: string
  password: string
}

export type ChangePasswordOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ReauthenticateSessionBody = {
  password: string
} | {
  /** Six digits of the authenticator app, or a recovery code. Blanks and case do not matter. */
  code: string
}

export type ReauthenticateSessionOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type EndReauthenticationOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type GetFactorsOptions = ReadOptions

export type BeginTotpOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type DeleteTotpOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ConfirmTotpBody = {
  /** Six digits of the authenticator app, or a recovery code. Blanks and case do not matter. */
  code: string
}

export type ConfirmTotpOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type CreateRecoveryCodesOptions = ReadOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ListProvidersOptions = ReadOptions

export type GetChecklistOptions = ReadOptions

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
   * The token works as a bearer token for 12 hours, and is also set as the cookie `svc_session`. An unknown address and a wrong password get the same answer. After 10 failures in 15 minutes for one address from one place, the answer is `rate_limit_error`. An account with a second factor gets `second_factor_required` with a `challenge`, also as the cookie `svc_factor`: `POST /v1/auth/signin/factor` goes on.
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
   * Redirects a browser to the provider; a cookie keeps the state. A new account needs `tos_version`, the version of the current terms of service. With `purpose=reauthenticate` and the session of an account without password and second factor, the provider asks for the sign-in again, and the callback answers as `POST /v1/auth/reauthenticate`. A provider that is unknown or not configured is `not_found`. With `invitation`, the token of a mailed link, the person joins that organization, if the provider vouches for the invited address.
   *
   * `GET /v1/auth/oauth/{provider}`
   */
  startOauthSignIn(provider: string, options?: StartOauthSignInOptions): Call<Redirect> {
    return this.send(operations.startOauthSignIn, { provider }, undefined, options)
  }

  /**
   * The address that an identity provider redirects to.
   *
   * The browser calls it, not you; the answer is that of signing in. The provider proves the address: if it was not proven before, everything made until then is switched off, as when a new password is set. An address that the provider does not vouch for is `forbidden`; on the way of an invitation, with the code `wrong_account`.
   *
   * `GET /v1/auth/oauth/{provider}/callback`
   */
  finishOauthSignIn(provider: string, options?: FinishOauthSignInOptions): Call<SignedInThrough | Reauthenticated> {
    return this.send(operations.finishOauthSignIn, { provider }, undefined, options)
  }

  /**
   * Finish a sign-in with a code.
   *
   * Of the authenticator app, or a recovery code, which works once. A code of the app works once as well, and none before it. Five wrong codes end the sign-in (`challenge_ended`). Ten wrong codes of an account in 15 minutes are `rate_limit_error`, and then right ones are too.
   *
   * `POST /v1/auth/signin/factor`
   */
  signInWithCode(body: SignInWithCodeBody, options?: SignInWithCodeOptions): Call<SignedIn> {
    return this.send(operations.signInWithCode, {}, body, options)
  }

  /**
   * The page that asks for the code of a sign-in.
   *
   * A sign-in with `return_to` leads here. Opening the page changes nothing.
   *
   * `GET /v1/auth/signin/factor`
   */
  showSignInFactor(options?: ShowSignInFactorOptions): Call<string> {
    return this.send(operations.showSignInFactor, {}, undefined, options)
  }

  /**
   * List the sessions of the account.
   *
   * Newest first, in whichever organization they were opened. `last_seen_at` lags by up to about 10 minutes.
   *
   * `GET /v1/auth/sessions`
   */
  listSessions(options?: ListSessionsOptions): Call<{
    sessions: Session[]
  }> {
    return this.send(operations.listSessions, {}, undefined, options)
  }

  /**
   * End the other sessions of the account.
   *
   * This session lives on. From now on every process refuses the others.
   *
   * `DELETE /v1/auth/sessions`
   */
  endOtherSessions(options: EndOtherSessionsOptions & { dry_run: true }): Call<DryRun>
  endOtherSessions(options?: EndOtherSessionsOptions): Call<void>
  endOtherSessions(options?: EndOtherSessionsOptions): Call<any> {
    return this.send(operations.endOtherSessions, {}, undefined, options)
  }

  /**
   * End a session of the account.
   *
   * From now on every process refuses it. It may be this session.
   *
   * `DELETE /v1/auth/sessions/{id}`
   */
  endSession(id: string, options: EndSessionOptions & { dry_run: true }): Call<DryRun>
  endSession(id: string, options?: EndSessionOptions): Call<void>
  endSession(id: string, options?: EndSessionOptions): Call<any> {
    return this.send(operations.endSession, { id }, undefined, options)
  }

  /**
   * Change the password.
   *
   * Other sessions of the account end, and mailed links to set a password too. A second factor stays on. A wrong `current_password` is `validation_error`; ten of them in 15 minutes, with wrong codes, are `rate_limit_error`.
   *
   * `POST /v1/auth/password/change`
   */
  changePassword(body: ChangePasswordBody, options: ChangePasswordOptions & { dry_run: true }): Call<DryRun>
  changePassword(body: ChangePasswordBody, options?: ChangePasswordOptions): Call<void>
  changePassword(body: ChangePasswordBody, options?: ChangePasswordOptions): Call<any> {
    return this.send(operations.changePassword, {}, body, options)
  }

  /**
   * Show again that it is you.
   *
   * For acts that answer `reauthentication_required`; signing in shows it too. It counts for 10 minutes, for this session. An account with a second factor sends a `code`, any other its `password`. An account with neither goes through its provider: `GET /v1/auth/oauth/:provider?purpose=reauthenticate`. Ten wrong ones in 15 minutes, with wrong codes of sign-ins, are `rate_limit_error`.
   *
   * `POST /v1/auth/reauthenticate`
   */
  reauthenticateSession(body: ReauthenticateSessionBody, options: ReauthenticateSessionOptions & { dry_run: true }): Call<DryRun>
  reauthenticateSession(body: ReauthenticateSessionBody, options?: ReauthenticateSessionOptions): Call<Reauthenticated>
  reauthenticateSession(body: ReauthenticateSessionBody, options?: ReauthenticateSessionOptions): Call<any> {
    return this.send(operations.reauthenticateSession, {}, body, options)
  }

  /**
   * End the time in which it counts.
   *
   * The next act that asks is refused until the person shows again that it is them.
   *
   * `DELETE /v1/auth/reauthenticate`
   */
  endReauthentication(options: EndReauthenticationOptions & { dry_run: true }): Call<DryRun>
  endReauthentication(options?: EndReauthenticationOptions): Call<void>
  endReauthentication(options?: EndReauthenticationOptions): Call<any> {
    return this.send(operations.endReauthentication, {}, undefined, options)
  }

  /**
   * Get the second factor of the account.
   *
   * The factor belongs to the account, in whichever organization it acts.
   *
   * `GET /v1/auth/factors`
   */
  getFactors(options?: GetFactorsOptions): Call<Factors> {
    return this.send(operations.getFactors, {}, undefined, options)
  }

  /**
   * Begin to turn on a second factor.
   *
   * The secret is good for 10 minutes; another one replaces it. The factor is on once `POST /v1/auth/factors/totp/confirm` has a code of it.
   *
   * `POST /v1/auth/factors/totp`
   */
  beginTotp(options: BeginTotpOptions & { dry_run: true }): Call<DryRun>
  beginTotp(options?: BeginTotpOptions): Call<{
    /** 160 bits in base32. */
    secret: string
    /** The same for an authenticator app, as a link or a QR code. */
    otpauth_url: string
  }>
  beginTotp(options?: BeginTotpOptions): Call<any> {
    return this.send(operations.beginTotp, {}, undefined, options)
  }

  /**
   * Turn off the second factor.
   *
   * Refused with the code `required_by_organization` while an organization of the account requires a second factor; `organizations` names them.
   *
   * `DELETE /v1/auth/factors/totp`
   */
  deleteTotp(options: DeleteTotpOptions & { dry_run: true }): Call<DryRun>
  deleteTotp(options?: DeleteTotpOptions): Call<void>
  deleteTotp(options?: DeleteTotpOptions): Call<any> {
    return this.send(operations.deleteTotp, {}, undefined, options)
  }

  /**
   * Turn on a second factor.
   *
   * Takes a code of the secret, and answers with ten recovery codes, which are shown only here. The other sessions of the account end; this one has passed the factor.
   *
   * `POST /v1/auth/factors/totp/confirm`
   */
  confirmTotp(body: ConfirmTotpBody, options: ConfirmTotpOptions & { dry_run: true }): Call<DryRun>
  confirmTotp(body: ConfirmTotpBody, options?: ConfirmTotpOptions): Call<{
    /** Each replaces a code of the app once. They are shown only in this answer. */
    recovery_codes: string[]
  }>
  confirmTotp(body: ConfirmTotpBody, options?: ConfirmTotpOptions): Call<any> {
    return this.send(operations.confirmTotp, {}, body, options)
  }

  /**
   * Make new recovery codes.
   *
   * Ten new ones, shown only here. The old ones are dead.
   *
   * `POST /v1/auth/factors/recovery-codes`
   */
  createRecoveryCodes(options: CreateRecoveryCodesOptions & { dry_run: true }): Call<DryRun>
  createRecoveryCodes(options?: CreateRecoveryCodesOptions): Call<{
    /** Each replaces a code of the app once. They are shown only in this answer. */
    recovery_codes: string[]
  }>
  createRecoveryCodes(options?: CreateRecoveryCodesOptions): Call<any> {
    return this.send(operations.createRecoveryCodes, {}, undefined, options)
  }

  /**
   * List the providers that are set up.
   *
   * Those that sign people in, and those whose calendars people can connect.
   *
   * `GET /v1/auth/providers`
   */
  listProviders(options?: ListProvidersOptions): Call<Providers> {
    return this.send(operations.listProviders, {}, undefined, options)
  }

  /**
   * Read the first steps of the organization.
   *
   * Each step is true once it is done, by what exists now.
   *
   * `GET /v1/auth/checklist`
   */
  getChecklist(options?: GetChecklistOptions): Call<Checklist> {
    return this.send(operations.getChecklist, {}, undefined, options)
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
   * Irreversible. The acceptances of the terms of service stay on record, without the organization. While it has other members, it is not deleted (`has_members`).
   *
   * `DELETE /v1/auth/account`
   */
  delete(options: DeleteAccountOptions & { dry_run: true }): Call<DryRun>
  delete(options?: DeleteAccountOptions): Call<void>
  delete(options?: DeleteAccountOptions): Call<any> {
    return this.send(operations.deleteAccount, {}, undefined, options)
  }
}
