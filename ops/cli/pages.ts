// Commands about what strangers see of an organization.
import { openPages, requireOrganization } from '../../src/organizations/organizations.ts'
import { type Command, type Given, requestOf, requireWord, type Tools } from './command.ts'
import { record } from './text.ts'

const words = '<org_…>'

export const pageCommands: readonly Command[] = [
  {
    name: 'pages off',
    words,
    what: 'Closes the booking pages and feeds of an organization, and holds its mails to guests. Its keys still work.',
    more: 'For a page that deceives people. Guests see 404; those who have booked can still look at their booking and cancel it.',
    run: (tools, given) => setPages(tools, given, 'pages off', false),
  },
  {
    name: 'pages on',
    words,
    what: 'Opens the booking pages and feeds of an organization again, and sends the held mails that are not out of date.',
    run: (tools, given) => setPages(tools, given, 'pages on', true),
  },
]

async function setPages(tools: Tools, given: Given, command: string, isOpen: boolean) {
  const id = requireWord(given, 0, 'organization')
  await openPages(tools.app, requestOf(tools, command), id, isOpen)
  const { pagesClosedAt, isWaitlisted } = await requireOrganization(tools.app, id)
  const shown = {
    id,
    pages: pagesClosedAt || isWaitlisted ? 'closed' : 'open',
    pages_closed_at: pagesClosedAt?.toISOString() ?? null,
    // The waitlist closes them as well, and `pages on` does not end it.
    is_waitlisted: isWaitlisted,
  }
  return { json: shown, text: record(shown) }
}
