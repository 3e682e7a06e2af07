// Finds the owner of an answer. Every word that names something of an organization (an id, the token of a feed, a slug, the
// prefix of a key, the mark of its maker) has an owner, and an answer may contain only words of the asker.

/**
 * Without `orgId`: a new user, or the administrator. Without `token`: a visitor of a public address of that
 * organization.
 */
export type Asker = {
  orgId?: string
  token?: string
  /** The client's own address behind the balancer, so that limits per address are limits per asker. */
  address: string
}

export type Answer = {
  status: number
  /** The header `RateLimit-Policy`. */
  policy: string | null
  /** Of a single record. */
  etag?: string
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  body: any
}

/** Whether a success answers the question. */
export type Expectation = (body: Answer['body']) => boolean

export const hasId =
  (id: string): Expectation =>
  (body) =>
    body.id === id

export type Owners = {
  note(orgId: string, ...words: string[]): void
  ownerOf(word: string): string | undefined
  /** The words in the text that belong to another organization. */
  foreignIn(orgId: string, text: string): string[]
  /** Whether the text contains any word of this organization. */
  isNamedIn(orgId: string, text: string): boolean
}

const word = /[A-Za-z0-9_-]{16,}/g
const wordsOf = (text: string) => new Set(text.match(word) ?? [])

export function openOwners(): Owners {
  const owners = new Map<string, string>()
  const ownerOf = (one: string) => owners.get(one) ?? (one.startsWith('org_') ? one : undefined)
  return {
    note(orgId, ...words) {
      for (const one of words) owners.set(one, orgId)
    },
    ownerOf,
    foreignIn: (orgId, text) =>
      [...wordsOf(text)].filter((one) => (ownerOf(one) ?? orgId) !== orgId).map((one) => `${one} of ${ownerOf(one)}`),
    isNamedIn: (orgId, text) => [...wordsOf(text)].some((one) => ownerOf(one) === orgId),
  }
}

/** A calendar file breaks its lines after 75 octets. */
const unfolded = (text: string) => (text.startsWith('BEGIN:VCALENDAR') ? text.replaceAll('\r\n ', '') : text)

const shownLength = 160

/** One sentence for each thing in an answer that is not the asker's. */
export function foreignIn(owners: Owners, { orgId, token }: Asker, answer: Answer, expects?: Expectation): string[] {
  // A refused call over MCP is a result: a caller that was not recognized, because Postgres was away, has no budget to be named.
  const isSuccess = answer.status >= 200 && answer.status < 300 && answer.body?.result?.isError !== true
  const wrong: string[] = []
  if (orgId !== undefined) {
    wrong.push(...owners.foreignIn(orgId, unfolded(answer.text)).map((found) => `${orgId} was told of ${found}`))
    const counted = /;pk=(\w+)/.exec(answer.policy ?? '')?.[1]
    if (counted !== undefined && counted !== orgId) wrong.push(`${orgId} was taken for ${counted}`)
    if (counted === undefined && token && isSuccess) wrong.push(`${orgId} is not named in RateLimit-Policy`)
  }
  if (isSuccess && expects && !expects(answer.body)) {
    wrong.push(`${orgId} asked for something else: ${answer.text.slice(0, shownLength)}`)
  }
  return wrong
}
