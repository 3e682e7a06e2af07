// The pages of the site: which files it shows, in which order, and under which addresses.

export type Entry = { title: string; path: string }
type Chapter = { title: string; entries: readonly Entry[] }

/** Documents outside the folder `docs`. */
const outside: Record<string, string> = {
  'README.md': '',
  'CHANGELOG.md': '/changelog',
  'CONTRIBUTING.md': '/contributing',
  'SECURITY.md': '/security',
  'examples/README.md': '/examples',
}

/** `docs/guide/holds.md` is `/docs/guide/holds`. */
export const pathOf = (file: string): string =>
  `/docs${
    outside[file] ??
    file
      .replace(/^docs\/README/, '/contents')
      .replace(/^docs/, '')
      .replace(/\.md$/, '')
  }`

export const outsideFiles: readonly string[] = Object.keys(outside).filter((file) => file !== 'README.md')

const entry = (title: string, path: string): Entry => ({ title, path: `/docs${path}` })

/** A page that stands in no chapter is found through the list of all documents and through search. */
export const chapters: readonly Chapter[] = [
  {
    title: 'Start',
    entries: [
      entry('Overview', ''),
      entry('Quickstart', '/quickstart'),
      entry('Concepts', '/concepts'),
      entry('Rules of the API', '/api'),
    ],
  },
  {
    title: 'Recipes',
    entries: [
      entry('Hold, then confirm', '/guide/hold-then-confirm'),
      entry('Hold groups', '/guide/hold-groups'),
      entry('Book without double booking', '/guide/no-double-booking'),
      entry('Retry safely', '/guide/safe-retries'),
      entry('Negotiate a time', '/guide/negotiate'),
      entry('Follow the changes', '/guide/follow-changes'),
      entry('Series and reminders', '/guide/series'),
      entry('Undo', '/guide/undo'),
      entry('Free and best times', '/guide/free-times'),
      entry('Feeds in and out', '/guide/feeds'),
      entry('Agent keys and local times', '/guide/keys-and-local-times'),
      entry('Guardrails of agent keys', '/guide/guardrails'),
      entry('Your team and its keys', '/guide/team-and-keys'),
      entry("Humans' calendars", '/guide/humans-calendars'),
      entry('Connect your calendar', '/guide/connect-your-calendar'),
      entry('Examples', '/examples'),
    ],
  },
  {
    title: 'Features',
    entries: [
      entry('Console', '/console'),
      entry('Booking pages', '/booking-pages'),
      entry('Webhooks', '/webhooks'),
      entry('Tools for models (MCP)', '/mcp'),
      entry('Clients', '/clients'),
      entry('Providers of calendars', '/calendar-providers'),
    ],
  },
  {
    title: 'Reference',
    entries: [
      entry('API reference', '/reference'),
      entry('Endpoints and errors', '/reference/endpoints'),
      entry('Webhook events', '/reference/webhook-events'),
      entry('MCP tools', '/reference/tools'),
      entry('Plans', '/reference/plans'),
    ],
  },
  {
    title: 'Operating',
    entries: [
      entry('Operating', '/operating'),
      entry('Environment', '/reference/environment'),
      entry('Runbook', '/runbook'),
      entry('Objectives', '/objectives'),
      entry('Scaling', '/scaling'),
      entry('Metrics', '/reference/metrics'),
      entry('Alerts', '/reference/alerts'),
      entry('Errors of Postgres', '/reference/sqlstates'),
    ],
  },
  {
    title: 'About',
    entries: [
      entry('Performance', '/performance'),
      entry('Architecture', '/architecture'),
      entry('Decisions', '/contents#decisions'),
      entry('All documents', '/contents'),
      entry('Changelog', '/changelog'),
      entry('Security', '/security'),
      entry('Contributing', '/contributing'),
    ],
  },
]
