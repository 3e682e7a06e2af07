# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import BookingPage, DayHours, DryRun, GuestBooking, PageBooking


class CreateBookingPageBodyAvailabilityConstraintsMonItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraintsTueItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraintsWedItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraintsThuItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraintsFriItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraintsSatItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraintsSunItem(TypedDict):
    start: str
    end: str


class CreateBookingPageBodyAvailabilityConstraints(TypedDict):
    mon: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsMonItem]]
    tue: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsTueItem]]
    wed: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsWedItem]]
    thu: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsThuItem]]
    fri: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsFriItem]]
    sat: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsSatItem]]
    sun: NotRequired[DayHours | Sequence[CreateBookingPageBodyAvailabilityConstraintsSunItem]]


class CreateBookingPageBodyQuestionsItem(TypedDict):
    #: Names the answer; unique on the page.
    name: str
    #: The question as guests read it.
    label: str
    kind: NotRequired[Literal["text", "long_text", "choice"]]
    required: NotRequired[bool]
    #: The possible answers; only for the kind `choice`.
    options: NotRequired[Sequence[str]]


class CreateBookingPageBodyConference(TypedDict):
    """The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class CreateBookingPageBody(TypedDict):
    calendar_id: str
    title: str
    description: NotRequired[str]
    duration_minutes: NotRequired[int]
    #: Minutes kept free on each side of an event, on top of the buffers of the calendar.
    buffer_minutes: NotRequired[int]
    #: How many days ahead guests can book.
    window_days: NotRequired[int]
    #: Guests must book at least this many minutes before the start.
    min_notice_minutes: NotRequired[int]
    #: The zone of the hours and of the days.
    timezone: NotRequired[str]
    #: Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time.
    availability_constraints: NotRequired[CreateBookingPageBodyAvailabilityConstraints | None]
    active: NotRequired[bool]
    #: The person whom guests meet. The page shows it above the title.
    host_name: NotRequired[str]
    #: The organization of the host.
    host_organization: NotRequired[str]
    #: Where it takes place: an address, a phone number, or a link to a call.
    location: NotRequired[str]
    #: A privacy policy for the data that guests enter. The form links to it.
    privacy_url: NotRequired[str]
    #: A readable address in addition to the secret one, unique in the installation. It can be guessed.
    vanity_slug: NotRequired[str]
    #: Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may.
    allowed_origins: NotRequired[Sequence[str]]
    #: Questions to guests besides their name and address.
    questions: NotRequired[Sequence[CreateBookingPageBodyQuestionsItem]]
    #: An image above the title, and in previews of links. Browsers of guests load it from there.
    logo_url: NotRequired[str]
    #: The colour of buttons and links. It is made darker or lighter if text on it would be hard to read.
    theme_color: NotRequired[str]
    #: Minutes from the start of one slot to the next. Without it slots follow each other.
    slot_interval_minutes: NotRequired[int]
    #: How many further guests may be invited with a booking, each by a mail.
    additional_guests: NotRequired[int]
    #: How guests reach the host if no time is free: an address, a phone number or a link.
    contact: NotRequired[str]
    #: Whether guests get mails about their bookings. Records have this field only if it is false.
    guest_mails: NotRequired[bool]
    #: The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`.
    conference: NotRequired[CreateBookingPageBodyConference]
    #: Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true.
    details_on_event: NotRequired[bool]


class ListBookingPagesOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListBookingPagesPage(TypedDict):
    data: list[BookingPage]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class PreviewBookingPageBodyAvailabilityConstraintsMonItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraintsTueItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraintsWedItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraintsThuItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraintsFriItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraintsSatItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraintsSunItem(TypedDict):
    start: str
    end: str


class PreviewBookingPageBodyAvailabilityConstraints(TypedDict):
    mon: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsMonItem]]
    tue: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsTueItem]]
    wed: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsWedItem]]
    thu: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsThuItem]]
    fri: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsFriItem]]
    sat: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsSatItem]]
    sun: NotRequired[DayHours | Sequence[PreviewBookingPageBodyAvailabilityConstraintsSunItem]]


class PreviewBookingPageBodyQuestionsItem(TypedDict):
    #: Names the answer; unique on the page.
    name: str
    #: The question as guests read it.
    label: str
    kind: NotRequired[Literal["text", "long_text", "choice"]]
    required: NotRequired[bool]
    #: The possible answers; only for the kind `choice`.
    options: NotRequired[Sequence[str]]


class PreviewBookingPageBodyConference(TypedDict):
    """The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class PreviewBookingPageBody(TypedDict):
    calendar_id: str
    title: str
    description: NotRequired[str]
    duration_minutes: NotRequired[int]
    #: Minutes kept free on each side of an event, on top of the buffers of the calendar.
    buffer_minutes: NotRequired[int]
    #: How many days ahead guests can book.
    window_days: NotRequired[int]
    #: Guests must book at least this many minutes before the start.
    min_notice_minutes: NotRequired[int]
    #: The zone of the hours and of the days.
    timezone: NotRequired[str]
    #: Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time.
    availability_constraints: NotRequired[PreviewBookingPageBodyAvailabilityConstraints | None]
    active: NotRequired[bool]
    #: The person whom guests meet. The page shows it above the title.
    host_name: NotRequired[str]
    #: The organization of the host.
    host_organization: NotRequired[str]
    #: Where it takes place: an address, a phone number, or a link to a call.
    location: NotRequired[str]
    #: A privacy policy for the data that guests enter. The form links to it.
    privacy_url: NotRequired[str]
    #: A readable address in addition to the secret one, unique in the installation. It can be guessed.
    vanity_slug: NotRequired[str]
    #: Sites that may show the page in a frame: origins with https, or http on localhost. Without it no site may.
    allowed_origins: NotRequired[Sequence[str]]
    #: Questions to guests besides their name and address.
    questions: NotRequired[Sequence[PreviewBookingPageBodyQuestionsItem]]
    #: An image above the title, and in previews of links. Browsers of guests load it from there.
    logo_url: NotRequired[str]
    #: The colour of buttons and links. It is made darker or lighter if text on it would be hard to read.
    theme_color: NotRequired[str]
    #: Minutes from the start of one slot to the next. Without it slots follow each other.
    slot_interval_minutes: NotRequired[int]
    #: How many further guests may be invited with a booking, each by a mail.
    additional_guests: NotRequired[int]
    #: How guests reach the host if no time is free: an address, a phone number or a link.
    contact: NotRequired[str]
    #: Whether guests get mails about their bookings. Records have this field only if it is false.
    guest_mails: NotRequired[bool]
    #: The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`.
    conference: NotRequired[PreviewBookingPageBodyConference]
    #: Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true.
    details_on_event: NotRequired[bool]


class UpdateBookingPageBodyAvailabilityConstraintsMonItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraintsTueItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraintsWedItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraintsThuItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraintsFriItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraintsSatItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraintsSunItem(TypedDict):
    start: str
    end: str


class UpdateBookingPageBodyAvailabilityConstraints(TypedDict):
    mon: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsMonItem]]
    tue: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsTueItem]]
    wed: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsWedItem]]
    thu: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsThuItem]]
    fri: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsFriItem]]
    sat: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsSatItem]]
    sun: NotRequired[DayHours | Sequence[UpdateBookingPageBodyAvailabilityConstraintsSunItem]]


class UpdateBookingPageBodyQuestionsItem(TypedDict):
    #: Names the answer; unique on the page.
    name: str
    #: The question as guests read it.
    label: str
    kind: NotRequired[Literal["text", "long_text", "choice"]]
    required: NotRequired[bool]
    #: The possible answers; only for the kind `choice`.
    options: NotRequired[Sequence[str]]


class UpdateBookingPageBodyConference(TypedDict):
    """The call, for guests who have booked: in their mails, files and pages. Others see only its `provider`."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class UpdateBookingPageBody(TypedDict):
    title: NotRequired[str]
    #: null clears
    description: NotRequired[str | None]
    duration_minutes: NotRequired[int]
    #: Minutes kept free on each side of an event, on top of the buffers of the calendar.
    buffer_minutes: NotRequired[int]
    #: How many days ahead guests can book.
    window_days: NotRequired[int]
    #: Guests must book at least this many minutes before the start.
    min_notice_minutes: NotRequired[int]
    #: The zone of the hours and of the days.
    timezone: NotRequired[str]
    #: Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time.
    availability_constraints: NotRequired[UpdateBookingPageBodyAvailabilityConstraints | None]
    active: NotRequired[bool]
    host_name: NotRequired[str | None]
    host_organization: NotRequired[str | None]
    location: NotRequired[str | None]
    privacy_url: NotRequired[str | None]
    vanity_slug: NotRequired[str | None]
    allowed_origins: NotRequired[Sequence[str] | None]
    questions: NotRequired[Sequence[UpdateBookingPageBodyQuestionsItem] | None]
    logo_url: NotRequired[str | None]
    theme_color: NotRequired[str | None]
    slot_interval_minutes: NotRequired[int | None]
    additional_guests: NotRequired[int | None]
    contact: NotRequired[str | None]
    #: Whether guests get mails about their bookings. Records have this field only if it is false.
    guest_mails: NotRequired[bool]
    conference: NotRequired[UpdateBookingPageBodyConference | None]
    #: Events that are booked from then on get the `location` and the `conference` of the page. Records have this field only if it is true.
    details_on_event: NotRequired[bool]


class UpdateBookingPageOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class DeleteBookingPageOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class ListPageBookingsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: First start that is listed.
    from_: Moment
    #: First start that is not listed any more.
    to: Moment
    #: A part of the name or address of a guest.
    query: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListPageBookingsPage(TypedDict):
    data: list[PageBooking]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class ShowBookingPageOptions(ReadOptions, total=False):
    #: Shows the form that books the slot with this start.
    slot: Moment
    #: The time zone in which times are shown, or its city.
    zone: str
    #: The language of the page. Without it `Accept-Language` decides.
    lang: Literal["en", "de", "es", "fr", "ar"]
    clock: Literal["12", "24"]
    month: str
    day: str


class GetGuestBookingOptions(ReadOptions, total=False):
    #: Shows the question before a cancellation, or the times that the booking can be moved to.
    do: Literal["cancel", "reschedule"]
    #: Shows the question before a move to this start.
    slot: Moment
    zone: str
    lang: Literal["en", "de", "es", "fr", "ar"]
    clock: Literal["12", "24"]
    month: str
    day: str


class CancelGuestBookingBody(TypedDict):
    #: The zone in which the page shows times.
    zone: NotRequired[str]
    #: The language of the page.
    lang: NotRequired[Literal["en", "de", "es", "fr", "ar"]]
    #: The 12-hour or the 24-hour clock.
    clock: NotRequired[Literal["12", "24"]]


class RescheduleGuestBookingBody(TypedDict):
    #: The start of a free slot.
    start: Moment
    #: The zone in which the page shows times.
    zone: NotRequired[str]
    #: The language of the page.
    lang: NotRequired[Literal["en", "de", "es", "fr", "ar"]]
    #: The 12-hour or the 24-hour clock.
    clock: NotRequired[Literal["12", "24"]]


class RescheduleGuestBookingOptions(ReadOptions, total=False):
    #: The refusal of a slot that is taken offers other ones.
    explain: bool


class BookingPagesGroup(Group):
    @overload
    def create(self, body: CreateBookingPageBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateBookingPageBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> BookingPage: ...

    def create(self, body: CreateBookingPageBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a booking page.

        Guests book at `booking_url`, without a key. Each booking creates a confirmed event and uses one of the month's events. Slots start at multiples of `slot_interval_minutes`, or else `duration_minutes`, after the day's opening (midnight in `timezone` without `availability_constraints`). A slot is offered if the calendar, its rules and the page's own buffer leave it free.

        `POST /v1/booking-pages`
        """
        return self._call(operations.create_booking_page, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListBookingPagesOptions]) -> Paged[BookingPage, ListBookingPagesPage]:
        """List booking pages.

        Newest first, inactive ones included. An agent key sees the pages of its agent's calendars.

        `GET /v1/booking-pages`
        """
        return self._paged(operations.list_booking_pages, {}, options)

    def preview(self, body: PreviewBookingPageBody, **options: Unpack[ReadOptions]) -> str:
        """Show a booking page before it exists.

        HTML as a guest would see it, for a frame of our own pages. Nothing in it can be pressed. It stores nothing, costs what a read costs, and is refused for what is wrong with the page as its creation is.

        `POST /v1/booking-pages/preview`
        """
        return self._call(operations.preview_booking_page, {}, body, options)

    @overload
    def get(self, id: str, *, if_none_match: str, **options: Unpack[ReadOptions]) -> BookingPage | None: ...

    @overload
    def get(self, id: str, *, if_none_match: None = None, **options: Unpack[ReadOptions]) -> BookingPage: ...

    def get(self, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read a booking page.

        `active` is false while the page is switched off, and for good once its calendar is deleted. `bookings_count` counts every booking ever made, cancelled ones included.

        `GET /v1/booking-pages/{id}`
        """
        return self._call(operations.get_booking_page, {"id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def update(self, id: str, body: UpdateBookingPageBody, *, dry_run: Literal[True], **options: Unpack[UpdateBookingPageOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateBookingPageBody, *, dry_run: Literal[False] = False, **options: Unpack[UpdateBookingPageOptions]) -> BookingPage: ...

    def update(self, id: str, body: UpdateBookingPageBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change a booking page.

        Fields that are left out stay. A null `description` clears it; a null `availability_constraints` opens every hour. The calendar and the secret address cannot change. Existing bookings are not affected.

        `PATCH /v1/booking-pages/{id}`
        """
        return self._call(operations.update_booking_page, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteBookingPageOptions]) -> DryRun: ...

    @overload
    def delete(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteBookingPageOptions]) -> None: ...

    def delete(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Remove a booking page.

        Its address stops working at once; existing bookings stay.

        `DELETE /v1/booking-pages/{id}`
        """
        return self._call(operations.delete_booking_page, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def list_page_bookings(self, id: str, **options: Unpack[ListPageBookingsOptions]) -> Paged[PageBooking, ListPageBookingsPage]:
        """List the bookings of a page.

        The latest start first, cancelled ones included, until 30 days after their end; the times are those of the event now. `query` searches the names and addresses of guests, in the latest 10,000 bookings.

        `GET /v1/booking-pages/{id}/bookings`
        """
        return self._paged(operations.list_page_bookings, {"id": id}, options)

    def show(self, slug: str, **options: Unpack[ShowBookingPageOptions]) -> str:
        """The page where a guest chooses a slot.

        HTML for people. With `slot`, the form that books that slot. A slot that is no longer free leads back to the free times, with status 200.

        `GET /book/{slug}`
        """
        return self._call(operations.show_booking_page, {"slug": slug}, None, options)

    def get_guest_booking_file(self, token: str, **options: Unpack[ReadOptions]) -> str:
        """The calendar file of a booking.

        As the booking is now. It says nothing about the guest.

        `GET /booking/{token}/booking.ics`
        """
        return self._call(operations.get_guest_booking_file, {"token": token}, None, options)

    def get_guest_booking(self, token: str, **options: Unpack[GetGuestBookingOptions]) -> GuestBooking:
        """A booking, for its guest.

        The confirmation links to it, and so does each mail. HTML if `Accept` prefers it. Guests can cancel and move until the page's notice before the start. The page exists until 30 days after the end.

        `GET /booking/{token}`
        """
        return self._call(operations.get_guest_booking, {"token": token}, None, options)

    def cancel_guest_booking(self, token: str, body: CancelGuestBookingBody, **options: Unpack[ReadOptions]) -> GuestBooking:
        """Cancel a booking as its guest.

        Deletes the event: `event.deleted`, cause `booking`. Cancelling a cancelled booking changes nothing. After the page's notice it is `conflict`.

        `POST /booking/{token}/cancel`
        """
        return self._call(operations.cancel_guest_booking, {"token": token}, body, options)

    def reschedule_guest_booking(self, token: str, body: RescheduleGuestBookingBody, **options: Unpack[RescheduleGuestBookingOptions]) -> GuestBooking:
        """Move a booking as its guest.

        Moves the event to the free slot with this start: `event.updated`, cause `booking`. Moving it to its current start changes nothing. A taken slot, a cancelled booking, an eleventh move and a move after the page's notice are `conflict`. With `explain=true` the refusal of a taken slot offers other ones.

        `POST /booking/{token}/reschedule`
        """
        return self._call(operations.reschedule_guest_booking, {"token": token}, body, options)
