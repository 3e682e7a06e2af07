// The commands of `auth`: the sign-ins that are kept on this machine.
import { ApiError } from '../../typescript/src/entry.ts'
import { type Global, printResult, say } from './output.ts'
import { openClient } from './session.ts'
import { allSignIns, forgetSignIn, putInUse, requireSignIn, type SignIn, signInInUse } from './signIns.ts'

export function listSignIns(given: Global): void {
  const inUse = signInInUse()?.name
  const shown = allSignIns().map(({ name, url, kind, expires_at }) => ({
    name,
    in_use: name === inUse,
    url,
    signed_in_with: kind,
    expires_at: expires_at ?? null,
  }))
  printResult(given.json ? shown : shown.map((one) => ({ ...one, in_use: one.in_use ? '*' : null })), given, '')
}

export function switchSignIn(name: string): void {
  const { url, kind } = requireSignIn(name)
  putInUse(name)
  say(`Commands now go to ${url} with ${kind}, as ${name}.`)
  if (process.env.AGENT_CALENDAR_KEY) say('AGENT_CALENDAR_KEY is set, and stands before it.')
}

export async function removeSignIn(name: string): Promise<void> {
  const wasInUse = signInInUse()?.name === name
  await signOutOf(requireSignIn(name))
  say(`Removed ${name}.`)
  if (wasInUse && allSignIns().length > 0) say('No sign-in is in use now. Choose one: agent-calendar auth switch …')
}

/** A session is ended at the service, too. A key is only forgotten: others may use it. */
export async function signOutOf(signIn: SignIn): Promise<void> {
  forgetSignIn(signIn.name)
  if (!signIn.expires_at) return
  try {
    await openClient(signIn, { maxRetries: 0 }).accounts.signOut()
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401
    if (!isOver) say(`The session is forgotten here, but the service did not end it: ${(error as Error).message}`)
  }
}
