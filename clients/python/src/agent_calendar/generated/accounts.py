# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, Redirect, WriteOptions
from . import operations
from .schemas import AccountExport, Checklist, DryRun, Factors, Organization, Providers, Reauthenticated, Session, SignedIn, SignedInThrough


class SignUpBody(TypedDict):
    email: str
    password: str
    #: The name of the organization. Default: the local part of the address.
    name: NotRequired[str]
    tos_version: str


class SignInBody(TypedDict):
    email: str
    password: str


class GetAccountAnswer(TypedDict):
    org: Organization


class RequestPasswordResetBody(TypedDict):
    email: str


class RequestPasswordResetAnswer(TypedDict):
    message: str


class ResetPasswordBody(TypedDict):
    token: str
    password: str


class ResetPasswordAnswer(TypedDict):
    message: str


class ShowPasswordResetOptions(ReadOptions, total=False):
    token: str


class RequestEmailLinkAnswer(TypedDict):
    message: str


class VerifyEmailBody(TypedDict):
    token: str
    #: The password of the sign-up. Required unless the request has the session of the sign-up.
    password: NotRequired[str]


class VerifyEmailAnswer(TypedDict):
    org: Organization


class ShowEmailVerificationOptions(ReadOptions, total=False):
    token: str


class StartOauthSignInOptions(ReadOptions, total=False):
    tos_version: str
    return_to: str
    purpose: Literal["reauthenticate"]
    invitation: str


class FinishOauthSignInOptions(ReadOptions, total=False):
    code: str
    state: str


class SignInWithCodeBody(TypedDict):
    #: Six digits of the authenticator app, or a recovery code. Blanks and case do not matter.
    code: str
    #: Of the answer to the sign-in. Default: the cookie `svc_factor`.
    challenge: NotRequired[str]
    #: Of the form on our page.
    return_to: NotRequired[str]


class ShowSignInFactorOptions(ReadOptions, total=False):
    return_to: str


class ListSessionsAnswer(TypedDict):
    sessions: list[Session]


class ChangePasswordBody(TypedDict):
    current_password: str
    password: str


class ReauthenticateSessionBody1(TypedDict):
    password: str


class ReauthenticateSessionBody2(TypedDict):
    #: Six digits of the authenticator app, or a recovery code. Blanks and case do not matter.
    code: str


class BeginTotpAnswer(TypedDict):
    #: 160 bits in base32.
    secret: str
    #: The same for an authenticator app, as a link or a QR code.
    otpauth_url: str


class ConfirmTotpBody(TypedDict):
    #: Six digits of the authenticator app, or a recovery code. Blanks and case do not matter.
    code: str


class ConfirmTotpAnswer(TypedDict):
    #: Each replaces a code of the app once. They are shown only in this answer.
    recovery_codes: list[str]


class CreateRecoveryCodesAnswer(TypedDict):
    #: Each replaces a code of the app once. They are shown only in this answer.
    recovery_codes: list[str]


class AccountsGroup(Group):
    def sign_up(self, body: SignUpBody, **options: Unpack[ReadOptions]) -> SignedIn:
        """Sign up for the console.

        Creates an organization on the free plan, and mails a link that proves its address (`POST /v1/auth/email/verify`). The session is in the body and in the cookie `svc_session`; use it to create an API key. `tos_version` is the `version` of `GET /v1/auth/terms/current`. A client address may sign up 100 times an hour, a mail domain 200 times.

        `POST /v1/auth/signup`
        """
        return self._call(operations.sign_up, {}, body, options)

    def sign_in(self, body: SignInBody, **options: Unpack[ReadOptions]) -> SignedIn:
        """Sign in to the console.

        The token works as a bearer token for 12 hours, and is also set as the cookie `svc_session`. An unknown address and a wrong password get the same answer. After 10 failures in 15 minutes for one address from one place, the answer is `rate_limit_error`. An account with a second factor gets `second_factor_required` with a `challenge`, also as the cookie `svc_factor`: `POST /v1/auth/signin/factor` goes on.

        `POST /v1/auth/signin`
        """
        return self._call(operations.sign_in, {}, body, options)

    @overload
    def sign_out(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def sign_out(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def sign_out(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Sign out.

        From now on every process refuses the token.

        `POST /v1/auth/signout`
        """
        return self._call(operations.sign_out, {}, None, {**options, "dry_run": dry_run or None})

    def get(self, **options: Unpack[ReadOptions]) -> GetAccountAnswer:
        """Get the signed-in organization.

        Also works for organizations on the waitlist. A null `accepted_terms_version` means that no terms have been accepted yet.

        `GET /v1/auth/me`
        """
        return self._call(operations.get_account, {}, None, options)

    def request_password_reset(self, body: RequestPasswordResetBody, **options: Unpack[ReadOptions]) -> RequestPasswordResetAnswer:
        """Request a link to set a new password.

        The answer is the same for every address, known or unknown. The link works once, for 30 minutes; an address gets at most 5 links an hour. It also sets the first password of an organization that never had one.

        `POST /v1/auth/password/forgot`
        """
        return self._call(operations.request_password_reset, {}, body, options)

    def reset_password(self, body: ResetPasswordBody, **options: Unpack[ReadOptions]) -> ResetPasswordAnswer:
        """Set a new password.

        Takes the token of the mailed link, and ends every session. If the address was not proven before, everything made until then is switched off: keys, webhooks, booking pages and feed addresses. A mail lists what was switched off. A token that was used, has expired or never existed changes nothing; `message` says so.

        `POST /v1/auth/password/reset`
        """
        return self._call(operations.reset_password, {}, body, options)

    def show_password_reset(self, **options: Unpack[ShowPasswordResetOptions]) -> str:
        """The page behind the mailed link.

        A form for people. The token is checked only when the password is sent.

        `GET /v1/auth/password/reset`
        """
        return self._call(operations.show_password_reset, {}, None, options)

    @overload
    def request_email_link(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def request_email_link(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> RequestEmailLinkAnswer: ...

    def request_email_link(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Request a link that proves the address.

        Signing up mails the first link; this mails another one, which works for 24 hours. An address gets at most 5 links an hour, links to set a password included. An address that is already proven is `conflict`.

        `POST /v1/auth/email/link`
        """
        return self._call(operations.request_email_link, {}, None, {**options, "dry_run": dry_run or None})

    def verify_email(self, body: VerifyEmailBody, **options: Unpack[ReadOptions]) -> VerifyEmailAnswer:
        """Prove the address of a sign-up.

        Takes the token of the mailed link, and proof that the caller is the person who signed up: their session (cookie or bearer token) or their `password`. Everything made before stays. Without such proof, `POST /v1/auth/password/reset` with the same token also proves the address, and switches off what was made before. A token that was used, has expired or never existed, and a wrong password, are `validation_error`.

        `POST /v1/auth/email/verify`
        """
        return self._call(operations.verify_email, {}, body, options)

    def show_email_verification(self, **options: Unpack[ShowEmailVerificationOptions]) -> str:
        """The page behind the mailed link of a sign-up.

        Forms for people. Opening the page changes nothing.

        `GET /v1/auth/email/verify`
        """
        return self._call(operations.show_email_verification, {}, None, options)

    def start_oauth_sign_in(self, provider: str, **options: Unpack[StartOauthSignInOptions]) -> Redirect:
        """Sign in through an identity provider.

        Redirects a browser to the provider; a cookie keeps the state. A new account needs `tos_version`, the version of the current terms of service. With `purpose=reauthenticate` and the session of an account without password and second factor, the provider asks for the sign-in again, and the callback answers as `POST /v1/auth/reauthenticate`. A provider that is unknown or not configured is `not_found`. With `invitation`, the token of a mailed link, the person joins that organization, if the provider vouches for the invited address.

        `GET /v1/auth/oauth/{provider}`
        """
        return self._call(operations.start_oauth_sign_in, {"provider": provider}, None, options)

    def finish_oauth_sign_in(self, provider: str, **options: Unpack[FinishOauthSignInOptions]) -> SignedInThrough | Reauthenticated:
        """The address that an identity provider redirects to.

        The browser calls it, not you; the answer is that of signing in. The provider proves the address: if it was not proven before, everything made until then is switched off, as when a new password is set. An address that the provider does not vouch for is `forbidden`; on the way of an invitation, with the code `wrong_account`.

        `GET /v1/auth/oauth/{provider}/callback`
        """
        return self._call(operations.finish_oauth_sign_in, {"provider": provider}, None, options)

    def sign_in_with_code(self, body: SignInWithCodeBody, **options: Unpack[ReadOptions]) -> SignedIn:
        """Finish a sign-in with a code.

        Of the authenticator app, or a recovery code, which works once. A code of the app works once as well, and none before it. Five wrong codes end the sign-in (`challenge_ended`). Ten wrong codes of an account in 15 minutes are `rate_limit_error`, and then right ones are too.

        `POST /v1/auth/signin/factor`
        """
        return self._call(operations.sign_in_with_code, {}, body, options)

    def show_sign_in_factor(self, **options: Unpack[ShowSignInFactorOptions]) -> str:
        """The page that asks for the code of a sign-in.

        A sign-in with `return_to` leads here. Opening the page changes nothing.

        `GET /v1/auth/signin/factor`
        """
        return self._call(operations.show_sign_in_factor, {}, None, options)

    def list_sessions(self, **options: Unpack[ReadOptions]) -> ListSessionsAnswer:
        """List the sessions of the account.

        Newest first, in whichever organization they were opened. `last_seen_at` lags by up to about 10 minutes.

        `GET /v1/auth/sessions`
        """
        return self._call(operations.list_sessions, {}, None, options)

    @overload
    def end_other_sessions(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def end_other_sessions(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def end_other_sessions(self, *, dry_run: bool = False, **options: Any) -> Any:
        """End the other sessions of the account.

        This session lives on. From now on every process refuses the others.

        `DELETE /v1/auth/sessions`
        """
        return self._call(operations.end_other_sessions, {}, None, {**options, "dry_run": dry_run or None})

    @overload
    def end_session(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def end_session(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def end_session(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """End a session of the account.

        From now on every process refuses it. It may be this session.

        `DELETE /v1/auth/sessions/{id}`
        """
        return self._call(operations.end_session, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def change_password(self, body: ChangePasswordBody, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def change_password(self, body: ChangePasswordBody, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> None: ...

    def change_password(self, body: ChangePasswordBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change the password.

        Other sessions of the account end, and mailed links to set a password too. A second factor stays on. A wrong `current_password` is `validation_error`; ten of them in 15 minutes, with wrong codes, are `rate_limit_error`.

        `POST /v1/auth/password/change`
        """
        return self._call(operations.change_password, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def reauthenticate_session(self, body: ReauthenticateSessionBody1 | ReauthenticateSessionBody2, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def reauthenticate_session(self, body: ReauthenticateSessionBody1 | ReauthenticateSessionBody2, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> Reauthenticated: ...

    def reauthenticate_session(self, body: ReauthenticateSessionBody1 | ReauthenticateSessionBody2, *, dry_run: bool = False, **options: Any) -> Any:
        """Show again that it is you.

        For acts that answer `reauthentication_required`; signing in shows it too. It counts for 10 minutes, for this session. An account with a second factor sends a `code`, any other its `password`. An account with neither goes through its provider: `GET /v1/auth/oauth/:provider?purpose=reauthenticate`. Ten wrong ones in 15 minutes, with wrong codes of sign-ins, are `rate_limit_error`.

        `POST /v1/auth/reauthenticate`
        """
        return self._call(operations.reauthenticate_session, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def end_reauthentication(self, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def end_reauthentication(self, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> None: ...

    def end_reauthentication(self, *, dry_run: bool = False, **options: Any) -> Any:
        """End the time in which it counts.

        The next act that asks is refused until the person shows again that it is them.

        `DELETE /v1/auth/reauthenticate`
        """
        return self._call(operations.end_reauthentication, {}, None, {**options, "dry_run": dry_run or None})

    def get_factors(self, **options: Unpack[ReadOptions]) -> Factors:
        """Get the second factor of the account.

        The factor belongs to the account, in whichever organization it acts.

        `GET /v1/auth/factors`
        """
        return self._call(operations.get_factors, {}, None, options)

    @overload
    def begin_totp(self, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def begin_totp(self, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> BeginTotpAnswer: ...

    def begin_totp(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Begin to turn on a second factor.

        The secret is good for 10 minutes; another one replaces it. The factor is on once `POST /v1/auth/factors/totp/confirm` has a code of it.

        `POST /v1/auth/factors/totp`
        """
        return self._call(operations.begin_totp, {}, None, {**options, "dry_run": dry_run or None})

    @overload
    def delete_totp(self, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def delete_totp(self, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> None: ...

    def delete_totp(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Turn off the second factor.

        Refused with the code `required_by_organization` while an organization of the account requires a second factor; `organizations` names them.

        `DELETE /v1/auth/factors/totp`
        """
        return self._call(operations.delete_totp, {}, None, {**options, "dry_run": dry_run or None})

    @overload
    def confirm_totp(self, body: ConfirmTotpBody, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def confirm_totp(self, body: ConfirmTotpBody, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> ConfirmTotpAnswer: ...

    def confirm_totp(self, body: ConfirmTotpBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Turn on a second factor.

        Takes a code of the secret, and answers with ten recovery codes, which are shown only here. The other sessions of the account end; this one has passed the factor.

        `POST /v1/auth/factors/totp/confirm`
        """
        return self._call(operations.confirm_totp, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def create_recovery_codes(self, *, dry_run: Literal[True], **options: Unpack[ReadOptions]) -> DryRun: ...

    @overload
    def create_recovery_codes(self, *, dry_run: Literal[False] = False, **options: Unpack[ReadOptions]) -> CreateRecoveryCodesAnswer: ...

    def create_recovery_codes(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Make new recovery codes.

        Ten new ones, shown only here. The old ones are dead.

        `POST /v1/auth/factors/recovery-codes`
        """
        return self._call(operations.create_recovery_codes, {}, None, {**options, "dry_run": dry_run or None})

    def list_providers(self, **options: Unpack[ReadOptions]) -> Providers:
        """List the providers that are set up.

        Those that sign people in, and those whose calendars people can connect.

        `GET /v1/auth/providers`
        """
        return self._call(operations.list_providers, {}, None, options)

    def get_checklist(self, **options: Unpack[ReadOptions]) -> Checklist:
        """Read the first steps of the organization.

        Each step is true once it is done, by what exists now.

        `GET /v1/auth/checklist`
        """
        return self._call(operations.get_checklist, {}, None, options)

    def export(self, **options: Unpack[ReadOptions]) -> AccountExport:
        """Export all data of the organization.

        One JSON file with the secrets of webhooks in plain text, and without keys. An organization may export 10 times an hour; failed exports count.

        `GET /v1/auth/export`
        """
        return self._call(operations.export_account, {}, None, options)

    @overload
    def delete(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def delete(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def delete(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Delete the organization and everything in it.

        Irreversible. The acceptances of the terms of service stay on record, without the organization. While it has other members, it is not deleted (`has_members`).

        `DELETE /v1/auth/account`
        """
        return self._call(operations.delete_account, {}, None, {**options, "dry_run": dry_run or None})
