import { withLocalView } from './http/localView.ts'
import { withOutsideText } from './http/outsideText.ts'
import type { Route } from './http/route.ts'
import { withTag } from './http/tags.ts'
import { accountDataRoutes } from './routes/account.ts'
import { adminRoutes } from './routes/admin.ts'
import { adminSessionRoutes } from './routes/adminSession.ts'
import { agentRoutes } from './routes/agents.ts'
import { approvalPageRoutes } from './routes/approvalPages.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditLogRoutes } from './routes/auditLog.ts'
import { authRoutes } from './routes/auth.ts'
import { oauthRoutes } from './routes/authOauth.ts'
import { availabilityRoutes } from './routes/availability.ts'
import { availabilityGrantRoutes } from './routes/availabilityGrants.ts'
import { bookingRoutes } from './routes/booking.ts'
import { guestRoutes } from './routes/bookingPages.ts'
import { calendarRoutes } from './routes/calendars.ts'
import { changeRoutes } from './routes/changes.ts'
import { connectAccountPageRoutes } from './routes/connectAccountPages.ts'
import { connectionLinkRoutes } from './routes/connectionLinks.ts'
import { connectionPushRoutes } from './routes/connectionPushes.ts'
import { connectionRoutes } from './routes/connections.ts'
import { connectLinkPageRoutes } from './routes/connectLinkPages.ts'
import { consoleRoutes } from './routes/console.ts'
import { eventRoutes } from './routes/events.ts'
import { eventWindowRoutes } from './routes/eventWindow.ts'
import { externalDestinationRoutes } from './routes/externalDestinations.ts'
import { factorRoutes } from './routes/factors.ts'
import { feedbackRoutes } from './routes/feedback.ts'
import { guestBookingRoutes } from './routes/guestBookings.ts'
import { holdGroupRoutes } from './routes/holdGroups.ts'
import { icalRoutes } from './routes/ical.ts'
import { invitationPageRoutes } from './routes/invitationPages.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { keyRoutes } from './routes/keys.ts'
import { memberRoutes } from './routes/members.ts'
import { microsoftPushRoutes } from './routes/microsoftPush.ts'
import { organizationKeyRoutes } from './routes/organizationKeys.ts'
import { planRoutes } from './routes/plans.ts'
import { proposalRoutes } from './routes/proposals.ts'
import { requestRoutes } from './routes/requests.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { signInFactorRoutes } from './routes/signInFactor.ts'
import { signupRoutes } from './routes/signup.ts'
import { termsRoutes } from './routes/terms.ts'
import { timeRoutes } from './routes/time.ts'
import { trashRoutes } from './routes/trash.ts'
import { usageRoutes } from './routes/usage.ts'
import { waitlistRoutes } from './routes/waitlist.ts'
import { webhookRoutes } from './routes/webhooks.ts'

const all: readonly Route[] = [
  ...agentRoutes,
  ...calendarRoutes,
  ...eventRoutes,
  ...eventWindowRoutes,
  ...trashRoutes,
  ...holdGroupRoutes,
  ...availabilityRoutes,
  ...timeRoutes,
  ...keyRoutes,
  // Our own words such as `previous` are not ids of keys.
  ...organizationKeyRoutes,
  ...approvalRoutes,
  ...approvalPageRoutes,
  ...proposalRoutes,
  ...icalRoutes,
  ...connectionLinkRoutes,
  ...connectionRoutes,
  ...externalDestinationRoutes,
  ...connectionPushRoutes,
  ...microsoftPushRoutes,
  // Our own words such as `failed` are not tokens of a link.
  ...connectAccountPageRoutes,
  ...connectLinkPageRoutes,
  ...availabilityGrantRoutes,
  ...bookingRoutes,
  ...guestRoutes,
  ...guestBookingRoutes,
  ...webhookRoutes,
  ...changeRoutes,
  ...usageRoutes,
  ...auditLogRoutes,
  ...requestRoutes,
  ...planRoutes,
  ...feedbackRoutes,
  ...signupRoutes,
  ...authRoutes,
  ...oauthRoutes,
  ...signInFactorRoutes,
  ...sessionRoutes,
  ...factorRoutes,
  ...invitationRoutes,
  ...invitationPageRoutes,
  ...consoleRoutes,
  ...termsRoutes,
  ...waitlistRoutes,
  ...accountDataRoutes,
  ...memberRoutes,
  ...adminRoutes,
  ...adminSessionRoutes,
]

/** Every route of the service. */
export const routes: readonly Route[] = all.map(withTag).map(withLocalView).map(withOutsideText)
