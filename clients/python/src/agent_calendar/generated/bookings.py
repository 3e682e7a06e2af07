# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict, Unpack
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Booking, BookingSlots


class ListBookingSlotsOptions(ReadOptions, total=False):
    #: Leave out slots that start earlier.
    from_: Moment
    #: Leave out slots that end later.
    to: Moment
    #: Adds `blocked` and `empty_reason`.
    explain: bool


class BookSlotBody(TypedDict):
    name: str
    email: str
    notes: NotRequired[str]
    #: Answers to the page's questions, by their names.
    answers: NotRequired[Mapping[str, str]]
    #: Addresses of further guests, if the page allows them: a list, or a text with commas. Each gets an invitation.
    guests: NotRequired[Sequence[str] | str]
    #: The start of a free slot.
    start: Moment
    #: The zone in which the confirmation page shows the time.
    zone: NotRequired[str]
    #: The language of the confirmation page and of mails.
    lang: NotRequired[Literal["en", "de", "es", "fr", "ar"]]
    #: The 12-hour or the 24-hour clock.
    clock: NotRequired[Literal["12", "24"]]
    #: A random text. A request that repeats it gets the same booking instead of a conflict.
    attempt: NotRequired[str]
    #: Leave it empty; robots fill it in.
    website: NotRequired[str]


class BookSlotOptions(ReadOptions, total=False):
    #: The refusal of a slot that is taken offers other ones.
    explain: bool


class BookingsGroup(Group):
    def list_slots(self, slug: str, **options: Unpack[ListBookingSlotsOptions]) -> BookingSlots:
        """The free slots of a booking page.

        Earliest first, from now plus the page's notice until `window_days` from now; `from` and `to` narrow it. An answer holds at most 2,000; if later ones may be free, `next_from` is the `from` of the next answer. Every slot is free at this moment. Pass its `start` to `POST /book/{slug}`, which checks it again. A page that is switched off is `not_found`. `explain=true` says why other times are not free, without saying what is there.

        `GET /book/{slug}/slots`
        """
        return self._call(operations.list_booking_slots, {"slug": slug}, None, options)

    def get_file(self, slug: str, receipt: str, **options: Unpack[ReadOptions]) -> str:
        """A booking as a calendar file.

        The confirmation page links to it; it works as long as the booking page does. It holds the event and its times, and nothing about the guest.

        `GET /book/{slug}/bookings/{receipt}.ics`
        """
        return self._call(operations.get_booking_file, {"slug": slug, "receipt": receipt}, None, options)

    def create(self, slug: str, body: BookSlotBody, **options: Unpack[BookSlotOptions]) -> Booking:
        """Book a slot.

        Send JSON or an HTML form; the answer is a page if `Accept` prefers HTML. `start` must be the start of a free slot: a slot that is taken is `conflict`, one outside the page's hours, notice or window is `validation_error`. If the month's events are used up, the status is 503. Each of `guests` gets an invitation, within limits a day, if the page has `additional_guests`.

        `POST /book/{slug}`
        """
        return self._call(operations.book_slot, {"slug": slug}, body, options)
