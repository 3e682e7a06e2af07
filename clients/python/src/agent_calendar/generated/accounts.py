# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, Redirect, WriteOptions
from . import operations
from .schemas import AccountExport, DryRun, Organization, SignedIn


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


class FinishOauthSignInOptions(ReadOptions, total=False):
    code: str
    state: str


class AccountsGroup(Group):
    def sign_up(self, body: SignUpBody, **options: Unpack[ReadOptions]) -> SignedIn:
        """Sign up for the console.

        Creates an organization on the free plan, and mails a link that proves its address (`POST /v1/auth/email/verify`). The session is in the body and in the cookie `svc_session`; use it to create an API key. `tos_version` is the `version` of `GET /v1/auth/terms/current`. A client address may sign up 100 times an hour, a mail domain 200 times.

        `POST /v1/auth/signup`
        """
        return self._call(operations.sign_up, {}, body, options)

    def sign_in(self, body: SignInBody, **options: Unpack[ReadOptions]) -> SignedIn:
        """Sign in to the console.

        The token works as a bearer token for 12 hours, and is also set as the cookie `svc_session`. An unknown address and a wrong password get the same answer. After 10 failures in 15 minutes for one address from one place, the answer is `rate_limit_error`.

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

        Redirects a browser to the provider; a cookie keeps the state. A new account needs `tos_version`, the version of the current terms of service. A provider that is unknown or not configured is `not_found`.

        `GET /v1/auth/oauth/{provider}`
        """
        return self._call(operations.start_oauth_sign_in, {"provider": provider}, None, options)

    def finish_oauth_sign_in(self, provider: str, **options: Unpack[FinishOauthSignInOptions]) -> SignedIn:
        """The address that an identity provider redirects to.

        The browser calls it, not you; the answer is that of signing in. The provider proves the address: if it was not proven before, everything made until then is switched off, as when a new password is set. An address that the provider does not vouch for is `forbidden`.

        `GET /v1/auth/oauth/{provider}/callback`
        """
        return self._call(operations.finish_oauth_sign_in, {"provider": provider}, None, options)

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

        Irreversible. The acceptances of the terms of service stay on record, without the organization.

        `DELETE /v1/auth/account`
        """
        return self._call(operations.delete_account, {}, None, {**options, "dry_run": dry_run or None})
