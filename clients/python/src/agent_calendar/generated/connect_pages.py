# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, Redirect, WriteOptions
from . import operations
from .schemas import ConnectionLink, DryRun


class ShowConnectFailureOptions(ReadOptions, total=False):
    reason: Literal["denied", "expired", "scope_missing", "account_mismatch", "provider_error", "quota", "too_many", "unavailable"]


class SignInToConnectionsBody(TypedDict):
    email: str
    password: str


class RequestPasswordFromConnectBody(TypedDict):
    email: str


class ChangeConnectionOnPageBody(TypedDict):
    form_token: NotRequired[str]
    password: NotRequired[str]
    external_calendar_id: NotRequired[str]


class CompleteConnectionLinkBody(TypedDict):
    external_calendar_ids: NotRequired[Sequence[str] | str]
    destination_external_calendar_id: NotRequired[str]
    form_token: NotRequired[str]


class SignInToSetupBody(TypedDict):
    email: str
    password: str


class BeginSetupBody(TypedDict):
    form_token: NotRequired[str]
    provider: NotRequired[str]
    server_url: NotRequired[str]
    username: NotRequired[str]
    password: NotRequired[str]


class DeclineSetupBody(TypedDict):
    form_token: NotRequired[str]


class ConnectPagesGroup(Group):
    def show_connections(self, **options: Unpack[ReadOptions]) -> str:
        """The page of a human’s connections.

        For people who are signed in; anybody else gets the sign-in page, with status 401.

        `GET /connect`
        """
        return self._call(operations.show_connections, {}, None, options)

    def show_connect_failure(self, **options: Unpack[ShowConnectFailureOptions]) -> str:
        """The page that says why nothing was connected.

        A failed authorization at a provider leads here.

        `GET /connect/failed`
        """
        return self._call(operations.show_connect_failure, {}, None, options)

    def sign_in_to_connections(self, body: SignInToConnectionsBody, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that signs in to the page of connections.

        Leads to the page of connections.

        `POST /connect/signin`
        """
        return self._call(operations.sign_in_to_connections, {}, body, options)

    @overload
    def sign_out_of_connections(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def sign_out_of_connections(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Redirect: ...

    def sign_out_of_connections(self, *, dry_run: bool = False, **options: Any) -> Any:
        """The form that signs out.

        Leads to the sign-in page.

        `POST /connect/signout`
        """
        return self._call(operations.sign_out_of_connections, {}, None, {**options, "dry_run": dry_run or None})

    def request_password_from_connect(self, body: RequestPasswordFromConnectBody, **options: Unpack[ReadOptions]) -> str:
        """The form that mails a link to set a password.

        The answer is the same for every address, known or unknown.

        `POST /connect/password`
        """
        return self._call(operations.request_password_from_connect, {}, body, options)

    @overload
    def change_connection_on_page(self, id: str, action: str, body: ChangeConnectionOnPageBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def change_connection_on_page(self, id: str, action: str, body: ChangeConnectionOnPageBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Redirect: ...

    def change_connection_on_page(self, id: str, action: str, body: ChangeConnectionOnPageBody, *, dry_run: bool = False, **options: Any) -> Any:
        """The forms of the page of connections.

        The actions are `pause`, `resume`, `reauthorize`, `unselect` and `disconnect`.

        `POST /connect/connections/{id}/{action}`
        """
        return self._call(operations.change_connection_on_page, {"id": id, "action": action}, body, {**options, "dry_run": dry_run or None})

    def show_calendar_choice(self, id: str, **options: Unpack[ReadOptions]) -> str:
        """The page on which a human chooses calendars.

        After the account is connected. Only the primary calendar is checked.

        `GET /connect/links/{id}`
        """
        return self._call(operations.show_calendar_choice, {"id": id}, None, options)

    @overload
    def complete_connection_link(self, id: str, body: CompleteConnectionLinkBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def complete_connection_link(self, id: str, body: CompleteConnectionLinkBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> ConnectionLink: ...

    def complete_connection_link(self, id: str, body: CompleteConnectionLinkBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Choose the calendars of a connection link.

        A form of our page, or JSON with a console session. `external_calendar_ids` if availability was requested, `destination_external_calendar_id` if events are to be published; nothing else.

        `POST /connect/links/{id}`
        """
        return self._call(operations.complete_connection_link, {"id": id}, body, {**options, "dry_run": dry_run or None})

    def show_connection_setup(self, token: str, **options: Unpack[ReadOptions]) -> str:
        """The page behind a connection link.

        The token in the path is the credential of the page; to agree, the human signs in.

        `GET /connect/{token}`
        """
        return self._call(operations.show_connection_setup, {"token": token}, None, options)

    def sign_in_to_setup(self, token: str, body: SignInToSetupBody, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that signs in on the page behind a connection link.

        Leads back to that page.

        `POST /connect/{token}/signin`
        """
        return self._call(operations.sign_in_to_setup, {"token": token}, body, options)

    def sign_out_of_setup(self, token: str, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that signs out on the page behind a connection link.

        Leads back to that page.

        `POST /connect/{token}/signout`
        """
        return self._call(operations.sign_out_of_setup, {"token": token}, None, options)

    def begin_setup(self, token: str, body: BeginSetupBody, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that connects an account.

        The answer leads to the provider or, with CalDAV, to the choice of calendars.

        `POST /connect/{token}/begin`
        """
        return self._call(operations.begin_setup, {"token": token}, body, options)

    def decline_setup(self, token: str, body: DeclineSetupBody, **options: Unpack[ReadOptions]) -> str:
        """The form that declines.

        A connection that was made for the link is disconnected.

        `POST /connect/{token}/decline`
        """
        return self._call(operations.decline_setup, {"token": token}, body, options)
