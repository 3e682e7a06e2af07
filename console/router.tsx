// The addresses of the screens. Each screen is a file of its own, which the browser gets when it is opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { Entrance } from './screens/signIn/entrance.tsx'
import { SignIn } from './screens/signIn/signIn.tsx'
import { parseSearch, stringifySearch } from './search.ts'

const screen = lazyRouteComponent as (
  load: () => Promise<Record<string, unknown>>,
  name: string,
) => ReturnType<typeof lazyRouteComponent>

/** The organization of this tab stays in the address of every screen. */
const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: Record<string, unknown>): Record<string, string> => search as Record<string, string>,
  search: { middlewares: [retainSearchParams(['org'])] },
})
const alone = createRoute({
  getParentRoute: () => root,
  id: 'alone',
  component: Entrance,
})
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  component: screen(() => import('./frame/frame.tsx'), 'Frame'),
  // The organization of the address is not one of the person's.
  notFoundComponent: screen(() => import('./frame/notFound.tsx'), 'NotFoundAlone'),
})

const admined = createRoute({
  getParentRoute: () => root,
  id: 'admined',
  component: screen(() => import('./screens/admin/adminFrame.tsx'), 'AdminFrame'),
})

const NotFound = screen(() => import('./frame/notFound.tsx'), 'NotFound')

const below =
  (parent: typeof alone | typeof framed | typeof admined) => (path: string, component: ReturnType<typeof screen>) =>
    createRoute({ getParentRoute: () => parent as typeof framed, path, component, notFoundComponent: NotFound })
const entrance = below(alone)
const at = below(framed)
const administration = below(admined)

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/start', replace: true })
  },
})

const routeTree = root.addChildren([
  home,
  alone.addChildren([
    entrance('/sign-in', SignIn),
    entrance(
      '/sign-up',
      screen(() => import('./screens/signIn/signUp.tsx'), 'SignUp'),
    ),
    entrance(
      '/admin',
      screen(() => import('./screens/admin/administrator.tsx'), 'Administrator'),
    ),
    entrance(
      '/forgot-password',
      screen(() => import('./screens/signIn/forgotPassword.tsx'), 'ForgotPassword'),
    ),
  ]),
  admined.addChildren([
    administration(
      '/admin/organizations',
      screen(() => import('./screens/admin/organizations.tsx'), 'Organizations'),
    ),
    administration(
      '/admin/organizations/$id',
      screen(() => import('./screens/admin/organization.tsx'), 'Organization'),
    ),
    administration(
      '/admin/terms',
      screen(() => import('./screens/admin/terms.tsx'), 'PublishTerms'),
    ),
    administration(
      '/admin/queues',
      screen(() => import('./screens/admin/queues.tsx'), 'Queues'),
    ),
  ]),
  framed.addChildren([
    at(
      '/start',
      screen(() => import('./screens/start/start.tsx'), 'Start'),
    ),
    at(
      '/calendar',
      screen(() => import('./calendar/calendar.tsx'), 'Calendar'),
    ),
    at(
      '/agents',
      screen(() => import('./screens/agents/agents.tsx'), 'Agents'),
    ),
    at(
      '/agents/$id',
      screen(() => import('./screens/agents/agent.tsx'), 'Agent'),
    ),
    at(
      '/calendars/$id',
      screen(() => import('./screens/calendars/calendar.tsx'), 'Calendar'),
    ),
    at(
      '/webhooks',
      screen(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
    ),
    at(
      '/webhooks/$id',
      screen(() => import('./screens/webhooks/webhook.tsx'), 'Webhook'),
    ),
    at(
      '/webhooks/$id/deliveries/$whd',
      screen(() => import('./screens/webhooks/delivery.tsx'), 'Delivery'),
    ),
    at(
      '/deliveries/$whd',
      screen(() => import('./screens/webhooks/findDelivery.tsx'), 'FindDelivery'),
    ),
    at(
      '/find-a-time',
      screen(() => import('./screens/find/findATime.tsx'), 'FindATime'),
    ),
    at(
      '/booking-pages',
      screen(() => import('./screens/bookingPages/pages.tsx'), 'BookingPages'),
    ),
    at(
      '/booking-pages/new',
      screen(() => import('./screens/bookingPages/newPage.tsx'), 'NewBookingPage'),
    ),
    at(
      '/booking-pages/$id',
      screen(() => import('./screens/bookingPages/page.tsx'), 'BookingPage'),
    ),
    at(
      '/proposals',
      screen(() => import('./screens/proposals/proposals.tsx'), 'Proposals'),
    ),
    at(
      '/proposals/$id',
      screen(() => import('./screens/proposals/proposal.tsx'), 'Proposal'),
    ),
    at(
      '/approvals',
      screen(() => import('./screens/approvals/approvals.tsx'), 'Approvals'),
    ),
    at(
      '/approvals/$id',
      screen(() => import('./screens/approvals/approval.tsx'), 'Approval'),
    ),
    at(
      '/feeds',
      screen(() => import('./screens/feeds/feeds.tsx'), 'Feeds'),
    ),
    at(
      '/connections',
      screen(() => import('./screens/connections/connections.tsx'), 'Connections'),
    ),
    at(
      '/connections/$id',
      screen(() => import('./screens/connections/connection.tsx'), 'Connection'),
    ),
    at(
      '/changes',
      screen(() => import('./screens/changes/changes.tsx'), 'Changes'),
    ),
    at(
      '/logs',
      screen(() => import('./screens/logs/logs.tsx'), 'Logs'),
    ),
    at(
      '/organization',
      screen(() => import('./screens/organization/organization.tsx'), 'Organization'),
    ),
    at(
      '/keys',
      screen(() => import('./screens/keys/keys.tsx'), 'Keys'),
    ),
    at(
      '/usage',
      screen(() => import('./screens/usage/usage.tsx'), 'Usage'),
    ),
    at(
      '/settings',
      screen(() => import('./screens/settings/settings.tsx'), 'Settings'),
    ),
    at('/$', NotFound),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})
