// The pages of the site: which files it shows, in which order, and under which addresses.

export type Entry = { title: string; path: string }
type Chapter = { title: string; entries: readonly Entry[] }

/** Documents that stand beside the folder `docs`. */
const outside: Record<string, string> = {
  'README.md': '',
  'CHANGELOG.md': '/changelog',
  'CONTRIBUTING.md': '/contributing',
  'SECURITY.md': '/security',
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
    entries: [entry('Overview', ''), entry('Quickstart', '/quickstart'), entry('Rules of the API', '/api')],
  },
  {
    title: 'Features',
    entries: [
      entry('Booking pages', '/booking-pages'),
      entry('Tools for models (MCP)', '/mcp'),
      entry('Clients', '/clients'),
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
