// The place of an operation in a client: `createEvent` is `events.create`. It follows from the operationId and the tag, so a
// new operation gets its place without a manual choice.

/** The nouns that operations end in, with the group of each. The longer noun wins: `AvailabilityRules` before `Availability`. */
const nouns: Record<string, string> = {
  Agent: 'agents',
  Calendar: 'calendars',
  Event: 'events',
  Hold: 'holds',
  Availability: 'availability',
  AvailabilityRules: 'availabilityRules',
  AvailabilityGrant: 'availabilityGrants',
  AgentKey: 'keys',
  Approval: 'approvals',
  OrganizationKey: 'organizationKey',
  Proposal: 'proposals',
  IcalSubscription: 'icalSubscriptions',
  ConnectionLink: 'connectionLinks',
  CalendarConnection: 'connections',
  ExternalCalendar: 'externalCalendars',
  BookingPage: 'bookingPages',
  Webhook: 'webhooks',
  Change: 'changes',
  Plan: 'plans',
  Account: 'accounts',
  Organization: 'organizations',
  Terms: 'terms',
}

/** Exceptions: the rules below would give these a bad name. */
const exceptions: Record<string, [group: string, method: string]> = {
  connectCaldavAccount: ['connections', 'connectCaldav'],
  getIcalFeed: ['icalSubscriptions', 'getFeed'],
  listBookingSlots: ['bookings', 'listSlots'],
  bookSlot: ['bookings', 'create'],
  getBookingFile: ['bookings', 'getFile'],
  getBookingPage: ['bookingPages', 'get'],
  readAuditLog: ['auditLog', 'list'],
  getUsage: ['usage', 'get'],
  getTime: ['time', 'get'],
  giveFeedback: ['feedback', 'give'],
  joinWaitlist: ['waitlist', 'join'],
  streamChanges: ['changes', 'openStream'],
}

const decapitalized = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)

const camelCase = (text: string) =>
  decapitalized(
    text
      .split(/[^A-Za-z0-9]+/)
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
      .join(''),
  )

const singular = (text: string) => text.replace(/ies$/, 'y').replace(/s$/, '')

type Match = { group: string; before: string; after: string }

/** The noun that ends last, the longest of those. */
function findNoun(words: string, known: Record<string, string>): Match | undefined {
  let best: (Match & { end: number; length: number }) | undefined
  for (const [noun, group] of Object.entries(known)) {
    const found = [...words.matchAll(new RegExp(`${noun.replace(/y$/, '(?:y|ies)')}s?(?![a-z])`, 'g'))].at(-1)
    if (!found) continue
    const end = found.index + found[0].length
    if (best && (best.end > end || (best.end === end && best.length >= noun.length))) continue
    best = { group, before: words.slice(0, found.index), after: words.slice(end), end, length: noun.length }
  }
  return best
}

/** `taken`: the places of the operations before, so that no two have the same one. */
export function clientNameOf(
  operationId: string,
  tag: string,
  taken: ReadonlySet<string>,
): [group: string, method: string] {
  const [group, method] = derivedName(operationId, tag)
  return taken.has(`${group}.${method}`) ? [group, operationId] : [group, method]
}

function derivedName(operationId: string, tag: string): [group: string, method: string] {
  const exception = exceptions[operationId]
  if (exception) return exception
  const ofTag = camelCase(tag)
  if (tag === 'Connect pages' || tag === 'Invitation pages') return [ofTag, operationId]
  const tagNoun = singular(ofTag)
  const known = { [tagNoun.slice(0, 1).toUpperCase() + tagNoun.slice(1)]: ofTag, ...nouns }
  const match = findNoun(operationId, known)
  const verb = /^[a-z]+/.exec(operationId)![0]
  if (!match?.before.startsWith(verb)) return [ofTag, operationId]
  const scope = match.before.slice(verb.length)
  const rest = match.after.replace(/^(By|From|With)(?=[A-Z])/, '$1')
  // The word before the noun is its owner: `listAgentEvents` is `events.listForAgent`.
  const isOwner = scope !== '' && (scope in nouns || scope in known)
  const method = trimmed(isOwner ? `${verb}For${scope}${rest}` : `${verb}${scope}${rest}`)
  return [match.group, method]
}

/** `respondToProposal` is `proposals.respond`. */
const trimmed = (method: string) => method.replace(/(?<=[a-z])(To|Of|From|For)$/, '')
