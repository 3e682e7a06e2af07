# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import NotRequired, TypedDict, Unpack
from ..group import Group
from ..operation import ReadOptions, Redirect
from . import operations


class AcceptInvitationOnPageBody(TypedDict):
    form_token: NotRequired[str]


class SignUpOnInvitationBody(TypedDict):
    password: str
    tos_version: str


class SignInToInvitationBody(TypedDict):
    password: str


class InvitationPagesGroup(Group):
    def show_invitation(self, token: str, **options: Unpack[ReadOptions]) -> str:
        """The page behind the link of an invitation.

        Opening it changes nothing. A link that does not work is `not_found`, whatever the reason.

        `GET /invitations/{token}`
        """
        return self._call(operations.show_invitation, {"token": token}, None, options)

    def accept_invitation_on_page(self, token: str, body: AcceptInvitationOnPageBody, **options: Unpack[ReadOptions]) -> str:
        """The form that accepts an invitation.

        For the person who is signed in with the invited address.

        `POST /invitations/{token}/accept`
        """
        return self._call(operations.accept_invitation_on_page, {"token": token}, body, options)

    def sign_up_on_invitation(self, token: str, body: SignUpOnInvitationBody, **options: Unpack[ReadOptions]) -> str:
        """The form that makes an account and accepts an invitation.

        The account has the invited address, and no organization of its own.

        `POST /invitations/{token}/signup`
        """
        return self._call(operations.sign_up_on_invitation, {"token": token}, body, options)

    def sign_in_to_invitation(self, token: str, body: SignInToInvitationBody, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that signs in on the page of an invitation.

        Leads back to that page, and accepts nothing.

        `POST /invitations/{token}/signin`
        """
        return self._call(operations.sign_in_to_invitation, {"token": token}, body, options)

    def sign_out_of_invitation(self, token: str, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that signs out on the page of an invitation.

        Leads back to that page.

        `POST /invitations/{token}/signout`
        """
        return self._call(operations.sign_out_of_invitation, {"token": token}, None, options)
