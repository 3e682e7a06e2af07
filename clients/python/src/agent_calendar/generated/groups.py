# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from ..group import Send
from .agents import AgentsGroup
from .calendars import CalendarsGroup
from .events import EventsGroup
from .holds import HoldsGroup
from .hold_groups import HoldGroupsGroup
from .availability import AvailabilityGroup
from .availability_rules import AvailabilityRulesGroup
from .time import TimeGroup
from .keys import KeysGroup
from .organization_key import OrganizationKeyGroup
from .approvals import ApprovalsGroup
from .proposals import ProposalsGroup
from .ical_subscriptions import IcalSubscriptionsGroup
from .connection_links import ConnectionLinksGroup
from .connections import ConnectionsGroup
from .external_calendars import ExternalCalendarsGroup
from .calendar_connections import CalendarConnectionsGroup
from .connect_pages import ConnectPagesGroup
from .availability_grants import AvailabilityGrantsGroup
from .booking_pages import BookingPagesGroup
from .bookings import BookingsGroup
from .webhooks import WebhooksGroup
from .changes import ChangesGroup
from .usage import UsageGroup
from .audit_log import AuditLogGroup
from .refused_requests import RefusedRequestsGroup
from .plans import PlansGroup
from .feedback import FeedbackGroup
from .accounts import AccountsGroup
from .members import MembersGroup
from .invitations import InvitationsGroup
from .invitation_pages import InvitationPagesGroup
from .terms import TermsGroup
from .waitlist import WaitlistGroup
from .organizations import OrganizationsGroup
from .administration import AdministrationGroup


class Groups:
    """Every operation of the API, grouped by noun."""

    def __init__(self, send: Send) -> None:
        self.agents = AgentsGroup(send)
        self.calendars = CalendarsGroup(send)
        self.events = EventsGroup(send)
        self.holds = HoldsGroup(send)
        self.hold_groups = HoldGroupsGroup(send)
        self.availability = AvailabilityGroup(send)
        self.availability_rules = AvailabilityRulesGroup(send)
        self.time = TimeGroup(send)
        self.keys = KeysGroup(send)
        self.organization_key = OrganizationKeyGroup(send)
        self.approvals = ApprovalsGroup(send)
        self.proposals = ProposalsGroup(send)
        self.ical_subscriptions = IcalSubscriptionsGroup(send)
        self.connection_links = ConnectionLinksGroup(send)
        self.connections = ConnectionsGroup(send)
        self.external_calendars = ExternalCalendarsGroup(send)
        self.calendar_connections = CalendarConnectionsGroup(send)
        self.connect_pages = ConnectPagesGroup(send)
        self.availability_grants = AvailabilityGrantsGroup(send)
        self.booking_pages = BookingPagesGroup(send)
        self.bookings = BookingsGroup(send)
        self.webhooks = WebhooksGroup(send)
        self.changes = ChangesGroup(send)
        self.usage = UsageGroup(send)
        self.audit_log = AuditLogGroup(send)
        self.refused_requests = RefusedRequestsGroup(send)
        self.plans = PlansGroup(send)
        self.feedback = FeedbackGroup(send)
        self.accounts = AccountsGroup(send)
        self.members = MembersGroup(send)
        self.invitations = InvitationsGroup(send)
        self.invitation_pages = InvitationPagesGroup(send)
        self.terms = TermsGroup(send)
        self.waitlist = WaitlistGroup(send)
        self.organizations = OrganizationsGroup(send)
        self.administration = AdministrationGroup(send)
