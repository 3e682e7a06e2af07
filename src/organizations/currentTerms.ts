// The current terms, cached in each process so that requests need not read them. Terms that another process published are
// known here a second later, those of this process at once.
import type { App } from '../app.ts'
import { lastPublication, type TermsRow } from './termsQueries.ts'

const maxAgeMs = 1_000

type Known = { terms: TermsRow | undefined; readAt: number; reading: Promise<TermsRow | undefined> | undefined }
const openKnown = (): Known => ({ terms: undefined, readAt: 0, reading: undefined })
const knownOf = (app: App) => app.memory(openKnown)

export function rememberTerms(app: App, terms: TermsRow): void {
  const known = knownOf(app)
  // A read that began before a publication returns older terms.
  if (known.terms && known.terms.nth > terms.nth) return
  Object.assign(known, { terms, readAt: Date.now() })
}

async function read(app: App, known: Known): Promise<TermsRow | undefined> {
  try {
    const [terms] = await lastPublication(app.sql)
    if (terms) rememberTerms(app, terms)
  } catch (error) {
    app.log.debug({ error: (error as Error).message }, 'the terms could not be read; the cached ones stay in force')
  } finally {
    known.reading = undefined
  }
  return known.terms
}

/** A promise only if they must be read. */
function recallTerms(app: App): TermsRow | undefined | Promise<TermsRow | undefined> {
  const known = knownOf(app)
  if (Date.now() - known.readAt < maxAgeMs) return known.terms
  known.reading ??= read(app, known)
  return known.reading
}

/** The version that an organization must still accept: the current one, if it is material and was not accepted. */
export function termsToAccept(app: App, accepted: string | null): string | undefined | Promise<string | undefined> {
  const decide = (terms: TermsRow | undefined) =>
    terms?.material && terms.version !== accepted ? terms.version : undefined
  const terms = recallTerms(app)
  return terms instanceof Promise ? terms.then(decide) : decide(terms)
}
