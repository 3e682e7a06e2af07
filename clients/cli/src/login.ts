// Signing in and out. The program prompts for the secret, keeps it in a file of the user, and never shows it.
import { ApiError } from '../../typescript/src/entry.ts'
import { signOutOf } from './auth.ts'
import { UsageError } from './failures.ts'
import { type Global, printResult, say } from './output.ts'
import { signInsFile } from './privateFiles.ts'
import { askSecret } from './prompt.ts'
import { askedAddress, currentSession, defaultUrl, openClient } from './session.ts'
import { defaultName, keepSignIn, requireName, type Session, signInInUse } from './signIns.ts'

export async function login(given: Global & { as?: string; email?: string; allowHttp?: boolean }): Promise<void> {
  const name = requireName(given.as ?? defaultName)
  const url = askedAddress(given.url) ?? defaultUrl
  if (!given.allowHttp) refusePlainHttp(url)
  const session = given.email ? await signIn(url, given.email) : await withKey(url)
  keepSignIn({ name, ...session })
  say(`Signed in to ${session.url} with ${session.kind}${given.as ? `, as ${name}` : ''}.`)
  if (session.expires_at)
    say(`The session ends ${session.expires_at}. An API key does not end: agent-calendar organization-key create`)
}

async function withKey(url: string): Promise<Session> {
  const key = await askSecret('API key (it is not shown): ')
  const kind = key.startsWith('svc_ak_')
    ? "an agent's key"
    : key.startsWith('svc_sk_')
      ? "the organization's key"
      : 'a token'
  const session = { url, key, kind }
  try {
    // Every key may ask for the time.
    await openClient(session, { maxRetries: 0 }).time.get({ tz: 'UTC' })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw new UsageError(`${url} does not know this key. Nothing was kept.`)
    throw error
  }
  return session
}

async function signIn(url: string, email: string): Promise<Session> {
  const password = await askSecret('Password (it is not shown): ')
  const { accounts } = openClient({ url, key: 'none', kind: '' }, { maxRetries: 0 })
  const { token, expires_at } = await accounts.signIn({ email, password }).catch(async (error: unknown) => {
    const challenge = challengeIn(error)
    if (challenge === undefined) throw error
    const code = await askSecret('Code of your authenticator app (it is not shown): ')
    return accounts.signInWithCode({ challenge, code })
  })
  return { url, key: token, kind: 'a console session', expires_at }
}

/** Of an account with a second factor. */
function challengeIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return undefined
  return (error.details as { challenge?: string }).challenge
}

/** On the way, others could read a key in plain text. */
function refusePlainHttp(url: string): void {
  let found: URL
  try {
    found = new URL(url)
  } catch {
    throw new UsageError(`${JSON.stringify(url)} is no address. Write it like https://calendar.example.com.`)
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(found.hostname) || found.hostname.endsWith('.localhost')
  if (found.protocol === 'http:' && !isHere) {
    throw new UsageError(
      `${url} is not encrypted: everybody on the way could read the key. Use https://, or add --allow-http in a network that you trust.`,
    )
  }
}

export async function logout(): Promise<void> {
  const inUse = signInInUse()
  if (!inUse) return void say('You were not signed in.')
  await signOutOf(inUse)
  say(`Signed out of ${inUse.url}.`)
}

export function status(given: Global): void {
  const { url, kind, expires_at, ...kept } = currentSession(given.url)
  const name = 'name' in kept && { name: kept.name }
  printResult(
    { ...name, url, signed_in_with: kind, ...(expires_at && { expires_at }), kept_in: signInsFile() },
    given,
    '',
  )
}
