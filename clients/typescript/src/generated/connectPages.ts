// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, Redirect, WriteOptions } from '../operation.ts'
import { operations } from './operations.ts'
import type { ConnectionLink, DryRun } from './schemas.ts'

export type ShowConnectionsOptions = ReadOptions

export type ShowConnectFailureOptions = ReadOptions & {
  reason?: "denied" | "expired" | "scope_missing" | "account_mismatch" | "provider_error" | "quota" | "too_many" | "unavailable"
}

export type SignInToConnectionsBody = {
  email: string
  password: string
}

export type SignInToConnectionsOptions = ReadOptions

export type SignOutOfConnectionsOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type RequestPasswordFromConnectBody = {
  email: string
}

export type RequestPasswordFromConnectOptions = ReadOptions

export type ChangeConnectionOnPageBody = {
  form_token?: string
  password?: string
  external_calendar_id?: string
}

export type ChangeConnectionOnPageOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ShowCalendarChoiceOptions = ReadOptions

export type CompleteConnectionLinkBody = {
  external_calendar_ids?: string[] | string
  destination_external_calendar_id?: string
  form_token?: string
}

export type CompleteConnectionLinkOptions = WriteOptions & {
  /** `true`: nothing is done. The answer is 200 `DryRun`, which says what would happen, or the error with which the request would be refused. */
  dry_run?: boolean
}

export type ShowConnectionSetupOptions = ReadOptions

export type SignInToSetupBody = {
  email: string
  password: string
}

export type SignInToSetupOptions = ReadOptions

export type SignOutOfSetupOptions = ReadOptions

export type BeginSetupBody = {
  form_token?: string
  provider?: string
  server_url?: string
  username?: string
  password?: string
}

export type BeginSetupOptions = ReadOptions

export type DeclineSetupBody = {
  form_token?: string
}

export type DeclineSetupOptions = ReadOptions

export class ConnectPagesGroup extends Group {
  /**
   * The page of a human’s connections.
   *
   * For people who are signed in; anybody else gets the sign-in page, with status 401.
   *
   * `GET /connect`
   */
  showConnections(options?: ShowConnectionsOptions): Call<string> {
    return this.send(operations.showConnections, {}, undefined, options)
  }

  /**
   * The page that says why nothing was connected.
   *
   * A failed authorization at a provider leads here.
   *
   * `GET /connect/failed`
   */
  showConnectFailure(options?: ShowConnectFailureOptions): Call<string> {
    return this.send(operations.showConnectFailure, {}, undefined, options)
  }

  /**
   * The form that signs in to the page of connections.
   *
   * Leads to the page of connections.
   *
   * `POST /connect/signin`
   */
  signInToConnections(body: SignInToConnectionsBody, options?: SignInToConnectionsOptions): Call<Redirect> {
    return this.send(operations.signInToConnections, {}, body, options)
  }

  /**
   * The form that signs out.
   *
   * Leads to the sign-in page.
   *
   * `POST /connect/signout`
   */
  signOutOfConnections(options: SignOutOfConnectionsOptions & { dry_run: true }): Call<DryRun>
  signOutOfConnections(options?: SignOutOfConnectionsOptions): Call<Redirect>
  signOutOfConnections(options?: SignOutOfConnectionsOptions): Call<any> {
    return this.send(operations.signOutOfConnections, {}, undefined, options)
  }

  /**
   * The form that mails a link to set a password.
   *
   * The answer is the same for every address, known or unknown.
   *
   * `POST /connect/password`
   */
  requestPasswordFromConnect(body: RequestPasswordFromConnectBody, options?: RequestPasswordFromConnectOptions): Call<string> {
    return this.send(operations.requestPasswordFromConnect, {}, body, options)
  }

  /**
   * The forms of the page of connections.
   *
   * The actions are `pause`, `resume`, `reauthorize`, `unselect` and `disconnect`.
   *
   * `POST /connect/connections/{id}/{action}`
   */
  changeConnectionOnPage(id: string, action: string, body: ChangeConnectionOnPageBody, options: ChangeConnectionOnPageOptions & { dry_run: true }): Call<DryRun>
  changeConnectionOnPage(id: string, action: string, body: ChangeConnectionOnPageBody, options?: ChangeConnectionOnPageOptions): Call<Redirect>
  changeConnectionOnPage(id: string, action: string, body: ChangeConnectionOnPageBody, options?: ChangeConnectionOnPageOptions): Call<any> {
    return this.send(operations.changeConnectionOnPage, { id, action }, body, options)
  }

  /**
   * The page on which a human chooses calendars.
   *
   * After the account is connected. Only the primary calendar is checked.
   *
   * `GET /connect/links/{id}`
   */
  showCalendarChoice(id: string, options?: ShowCalendarChoiceOptions): Call<string> {
    return this.send(operations.showCalendarChoice, { id }, undefined, options)
  }

  /**
   * Choose the calendars of a connection link.
   *
   * A form of our page, or JSON with a console session. `external_calendar_ids` if availability was requested, `destination_external_calendar_id` if events are to be published; nothing else.
   *
   * `POST /connect/links/{id}`
   */
  completeConnectionLink(id: string, body: CompleteConnectionLinkBody, options: CompleteConnectionLinkOptions & { dry_run: true }): Call<DryRun>
  completeConnectionLink(id: string, body: CompleteConnectionLinkBody, options?: CompleteConnectionLinkOptions): Call<ConnectionLink>
  completeConnectionLink(id: string, body: CompleteConnectionLinkBody, options?: CompleteConnectionLinkOptions): Call<any> {
    return this.send(operations.completeConnectionLink, { id }, body, options)
  }

  /**
   * The page behind a connection link.
   *
   * The token in the path is the credential of the page; to agree, the human signs in.
   *
   * `GET /connect/{token}`
   */
  showConnectionSetup(token: string, options?: ShowConnectionSetupOptions): Call<string> {
    return this.send(operations.showConnectionSetup, { token }, undefined, options)
  }

  /**
   * The form that signs in on the page behind a connection link.
   *
   * Leads back to that page.
   *
   * `POST /connect/{token}/signin`
   */
  signInToSetup(token: string, body: SignInToSetupBody, options?: SignInToSetupOptions): Call<Redirect> {
    return this.send(operations.signInToSetup, { token }, body, options)
  }

  /**
   * The form that signs out on the page behind a connection link.
   *
   * Leads back to that page.
   *
   * `POST /connect/{token}/signout`
   */
  signOutOfSetup(token: string, options?: SignOutOfSetupOptions): Call<Redirect> {
    return this.send(operations.signOutOfSetup, { token }, undefined, options)
  }

  /**
   * The form that connects an account.
   *
   * The answer leads to the provider or, with CalDAV, to the choice of calendars.
   *
   * `POST /connect/{token}/begin`
   */
  beginSetup(token: string, body: BeginSetupBody, options?: BeginSetupOptions): Call<Redirect> {
    return this.send(operations.beginSetup, { token }, body, options)
  }

  /**
   * The form that declines.
   *
   * A connection that was made for the link is disconnected.
   *
   * `POST /connect/{token}/decline`
   */
  declineSetup(token: string, body: DeclineSetupBody, options?: DeclineSetupOptions): Call<string> {
    return this.send(operations.declineSetup, { token }, body, options)
  }
}
