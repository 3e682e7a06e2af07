// The current terms as a process remembers them, so that no request pays for the question: what another process published
// is known a second later, and what this one published at once.
import type { App } from '../app.ts'
import { lastPublication, type TermsRow } from './queries.ts'

const maxAgeMs = 1_000

type Known = { terms: TermsRow | undefined; readAt: number; reading: Promise<TermsRow | undefined> | undefined }
const openKnown = (): Known => ({ terms: undefined, readAt: 0, reading: undefined })
const knownOf = (app: App) => app.memory(openKnown)

export function rememberTerms(app: App, terms: TermsRow): void {
  const known = knownOf(app)
  // What was being read while others were published is older than they are.
  if (known.terms && known.terms.nth > terms.nth) return
  Object.assign(known, { terms, readAt: Date.now() })
}

async function read(app: App, known: Known): Promise<TermsRow | undefined> {
  try {
    const [terms] = await lastPublication(app.sql)
    if (terms) rememberTerms(app, terms)
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'the terms are those known so far')
  } finally {
    known.reading = undefined
  }
  return known.terms
}

/** A promise only when they have to be read. */
function recallTerms(app: App): TermsRow | undefined | Promise<TermsRow | undefined> {
  const known = knownOf(app)
  if (Date.now() - known.readAt < maxAgeMs) return known.terms
  known.reading ??= read(app, known)
  return known.reading
}

/** The version that an organization still has to accept: the current one is material, and it accepted another or none. */
export function termsToAccept(app: App, accepted: string | null): string | undefined | Promise<string | undefined> {
  const decide = (terms: TermsRow | undefined) =>
    terms?.material && terms.version !== accepted ? terms.version : undefined
  const terms = recallTerms(app)
  return terms instanceof Promise ? terms.then(decide) : decide(terms)
}
