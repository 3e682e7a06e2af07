// Made from the API document by `npm run reference`. Do not edit.
import type { Send } from '../group.ts'
import { AgentsGroup } from './agents.ts'
import { CalendarsGroup } from './calendars.ts'
import { EventsGroup } from './events.ts'
import { HoldsGroup } from './holds.ts'
import { HoldGroupsGroup } from './holdGroups.ts'
import { AvailabilityGroup } from './availability.ts'
import { AvailabilityRulesGroup } from './availabilityRules.ts'
import { TimeGroup } from './time.ts'
import { KeysGroup } from './keys.ts'
import { OrganizationKeyGroup } from './organizationKey.ts'
import { ApprovalsGroup } from './approvals.ts'
import { ProposalsGroup } from './proposals.ts'
import { IcalSubscriptionsGroup } from './icalSubscriptions.ts'
import { ConnectionLinksGroup } from './connectionLinks.ts'
import { ConnectionsGroup } from './connections.ts'
import { ExternalCalendarsGroup } from './externalCalendars.ts'
import { CalendarConnectionsGroup } from './calendarConnections.ts'
import { ConnectPagesGroup } from './connectPages.ts'
import { AvailabilityGrantsGroup } from './availabilityGrants.ts'
import { BookingPagesGroup } from './bookingPages.ts'
import { BookingsGroup } from './bookings.ts'
import { WebhooksGroup } from './webhooks.ts'
import { ChangesGroup } from './changes.ts'
import { UsageGroup } from './usage.ts'
import { AuditLogGroup } from './auditLog.ts'
import { RefusedRequestsGroup } from './refusedRequests.ts'
import { PlansGroup } from './plans.ts'
import { FeedbackGroup } from './feedback.ts'
import { AccountsGroup } from './accounts.ts'
import { MembersGroup } from './members.ts'
import { InvitationsGroup } from './invitations.ts'
import { InvitationPagesGroup } from './invitationPages.ts'
import { TermsGroup } from './terms.ts'
import { WaitlistGroup } from './waitlist.ts'
import { OrganizationsGroup } from './organizations.ts'
import { AdministrationGroup } from './administration.ts'

/** Every operation of the API, grouped by noun. */
export class Groups {
  readonly agents: AgentsGroup
  readonly calendars: CalendarsGroup
  readonly events: EventsGroup
  readonly holds: HoldsGroup
  readonly holdGroups: HoldGroupsGroup
  readonly availability: AvailabilityGroup
  readonly availabilityRules: AvailabilityRulesGroup
  readonly time: TimeGroup
  readonly keys: KeysGroup
  readonly organizationKey: OrganizationKeyGroup
  readonly approvals: ApprovalsGroup
  readonly proposals: ProposalsGroup
  readonly icalSubscriptions: IcalSubscriptionsGroup
  readonly connectionLinks: ConnectionLinksGroup
  readonly connections: ConnectionsGroup
  readonly externalCalendars: ExternalCalendarsGroup
  readonly calendarConnections: CalendarConnectionsGroup
  readonly connectPages: ConnectPagesGroup
  readonly availabilityGrants: AvailabilityGrantsGroup
  readonly bookingPages: BookingPagesGroup
  readonly bookings: BookingsGroup
  readonly webhooks: WebhooksGroup
  readonly changes: ChangesGroup
  readonly usage: UsageGroup
  readonly auditLog: AuditLogGroup
  readonly refusedRequests: RefusedRequestsGroup
  readonly plans: PlansGroup
  readonly feedback: FeedbackGroup
  readonly accounts: AccountsGroup
  readonly members: MembersGroup
  readonly invitations: InvitationsGroup
  readonly invitationPages: InvitationPagesGroup
  readonly terms: TermsGroup
  readonly waitlist: WaitlistGroup
  readonly organizations: OrganizationsGroup
  readonly administration: AdministrationGroup

  constructor(send: Send) {
    this.agents = new AgentsGroup(send)
    this.calendars = new CalendarsGroup(send)
    this.events = new EventsGroup(send)
    this.holds = new HoldsGroup(send)
    this.holdGroups = new HoldGroupsGroup(send)
    this.availability = new AvailabilityGroup(send)
    this.availabilityRules = new AvailabilityRulesGroup(send)
    this.time = new TimeGroup(send)
    this.keys = new KeysGroup(send)
    this.organizationKey = new OrganizationKeyGroup(send)
    this.approvals = new ApprovalsGroup(send)
    this.proposals = new ProposalsGroup(send)
    this.icalSubscriptions = new IcalSubscriptionsGroup(send)
    this.connectionLinks = new ConnectionLinksGroup(send)
    this.connections = new ConnectionsGroup(send)
    this.externalCalendars = new ExternalCalendarsGroup(send)
    this.calendarConnections = new CalendarConnectionsGroup(send)
    this.connectPages = new ConnectPagesGroup(send)
    this.availabilityGrants = new AvailabilityGrantsGroup(send)
    this.bookingPages = new BookingPagesGroup(send)
    this.bookings = new BookingsGroup(send)
    this.webhooks = new WebhooksGroup(send)
    this.changes = new ChangesGroup(send)
    this.usage = new UsageGroup(send)
    this.auditLog = new AuditLogGroup(send)
    this.refusedRequests = new RefusedRequestsGroup(send)
    this.plans = new PlansGroup(send)
    this.feedback = new FeedbackGroup(send)
    this.accounts = new AccountsGroup(send)
    this.members = new MembersGroup(send)
    this.invitations = new InvitationsGroup(send)
    this.invitationPages = new InvitationPagesGroup(send)
    this.terms = new TermsGroup(send)
    this.waitlist = new WaitlistGroup(send)
    this.organizations = new OrganizationsGroup(send)
    this.administration = new AdministrationGroup(send)
  }
}
