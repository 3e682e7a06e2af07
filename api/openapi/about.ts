// The introduction of the document: rules for all operations, and the purpose of each group.

const description = `Calendars for software agents: events, short-lived holds, availability, proposals, booking pages and signed webhooks.

**Keys.** Send your key as \`Authorization: Bearer svc_sk_…\`. An organization's key comes from the console
(\`POST /v1/auth/keys\`), from agent self-signup (\`POST /v1/agent/sign-up\`) or from an administrator; it can create keys for
single agents (\`svc_ak_…\`).

**Names.** Bodies and queries use snake_case. Answers use camelCase for agents, calendars, events and webhooks, except
\`agent_status\`, \`default_reminders\` and \`ical_url\` of a calendar, and snake_case for everything else.

**Times.** Send ISO 8601 with an offset, or with a zone in brackets (\`2026-12-01T10:00[Europe/Berlin]\`); answers are in UTC
with milliseconds, and with \`view=local\` also on the wall clock of a zone.

**Lists** are \`{ data, total, limit, offset }\`. The audit log uses a cursor, and keys are one list without pages.

**Errors** are \`{ error: { type, message, param, request_id } }\`. Decide by \`type\`, and by \`code\` if there is one. Each
operation lists its errors by status. In addition, a path that does not exist is 404 \`not_found\`, a method that a path does
not have is 405 \`bad_request\` with \`Allow\`, and a request that is not valid HTTP is 400, 408, 417 or 431 \`bad_request\`.

**Limits.** 429 carries \`Retry-After\` in seconds. \`rate_limit_error\` means too many requests in a short time,
\`quota_exceeded\` that a limit of the plan is reached. \`RateLimit\` and \`RateLimit-Policy\` show the calls of the month.

**Retries.** After 5xx or no answer, repeat the request. Give each write an \`Idempotency-Key\`: repeated with it, nothing is done twice.`

export const about = (baseUrl: string) => ({
  title: 'agent-calendar',
  version: '1',
  description,
  contact: { name: 'agent-calendar', url: `${baseUrl}/docs` },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
})

/** The order of the groups is that of the routes. */
export const tagDescriptions: Record<string, string> = {
  Agents: 'The programs, people and resources that own calendars.',
  Calendars: 'Calendars of agents and of the organization itself.',
  Events: 'Events, series and holds.',
  'Hold groups': 'Times on several calendars that are held, confirmed and released together.',
  Availability: 'Free times of calendars and agents, and the rules that shape them.',
  Time: 'The time in a zone.',
  'API keys': "Keys of single agents, and the organization's own.",
  Approvals: 'Requests of agent keys that wait for a person, and the page on which they decide.',
  'Scheduling proposals': 'Several agents agree on one of several proposed times.',
  iCal: 'Subscriptions to external feeds, and the public feed of each calendar.',
  'Calendar connections':
    "Humans' own calendars: links that ask for them, accounts, and who may see when they are busy.",
  'Connect pages': 'Pages on which a human connects calendars, without a script.',
  Members: 'Who belongs to an organization, with which role, and the organizations of an account.',
  Invitations: 'How people join an organization: links that only the account of their address can accept.',
  'Invitation pages': 'Pages behind the link of an invitation, without a script.',
  'Booking pages': 'Pages on which people without an account book a time.',
  Webhooks: 'Addresses that receive events, and the history of their deliveries.',
  'Change feed': 'All changes, in order: in pages, by waiting, or as a stream.',
  'Plans and usage': 'The limits of the plans, and the usage of the organization.',
  'Audit log': 'Recorded changes, with their actor and time.',
  'Refused requests': 'Requests of the organization that were answered with an error of the caller.',
  Feedback: 'Messages to the people who run the service.',
  'Agent self-signup': 'How an agent gets an organization and a key by itself.',
  Accounts: 'Console: signing up, signing in, passwords.',
  'Terms of service': 'Console: the current terms, and accepting them.',
  Waitlist: 'Joining before the service is open to everybody.',
  'Account data': 'Console: exporting or deleting everything.',
  Administration: 'For the people who run the service: organizations, plans, terms.',
}
