// Made from the API document by `npm run reference`. Do not edit.
import type { Call } from '../call.ts'
import { Group } from '../group.ts'
import type { ReadOptions, Redirect } from '../operation.ts'
import { operations } from './operations.ts'

export type ShowInvitationOptions = ReadOptions

export type AcceptInvitationOnPageBody = {
  form_token?: string
}

export type AcceptInvitationOnPageOptions = ReadOptions

export type SignUpOnInvitationBody = {
  password: string
  tos_version: string
}

export type SignUpOnInvitationOptions = ReadOptions

export type SignInToInvitationBody = {
  password: string
}

export type SignInToInvitationOptions = ReadOptions

export type SignOutOfInvitationOptions = ReadOptions

export class InvitationPagesGroup extends Group {
  /**
   * The page behind the link of an invitation.
   *
   * Opening it changes nothing. A link that does not work is `not_found`, whatever the reason.
   *
   * `GET /invitations/{token}`
   */
  showInvitation(token: string, options?: ShowInvitationOptions): Call<string> {
    return this.send(operations.showInvitation, { token }, undefined, options)
  }

  /**
   * The form that accepts an invitation.
   *
   * For the person who is signed in with the invited address.
   *
   * `POST /invitations/{token}/accept`
   */
  acceptInvitationOnPage(token: string, body: AcceptInvitationOnPageBody, options?: AcceptInvitationOnPageOptions): Call<string> {
    return this.send(operations.acceptInvitationOnPage, { token }, body, options)
  }

  /**
   * The form that makes an account and accepts an invitation.
   *
   * The account has the invited address, and no organization of its own.
   *
   * `POST /invitations/{token}/signup`
   */
  signUpOnInvitation(token: string, body: SignUpOnInvitationBody, options?: SignUpOnInvitationOptions): Call<string> {
    return this.send(operations.signUpOnInvitation, { token }, body, options)
  }

  /**
   * The form that signs in on the page of an invitation.
   *
   * Leads back to that page, and accepts nothing.
   *
   * `POST /invitations/{token}/signin`
   */
  signInToInvitation(token: string, body: SignInToInvitationBody, options?: SignInToInvitationOptions): Call<Redirect> {
    return this.send(operations.signInToInvitation, { token }, body, options)
  }

  /**
   * The form that signs out on the page of an invitation.
   *
   * Leads back to that page.
   *
   * `POST /invitations/{token}/signout`
   */
  signOutOfInvitation(token: string, options?: SignOutOfInvitationOptions): Call<Redirect> {
    return this.send(operations.signOutOfInvitation, { token }, undefined, options)
  }
}
