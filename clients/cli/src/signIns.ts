// The stored sign-ins, each with a name, in a file that only this user can read. One of them is in use.
import { rmSync } from 'node:fs'
import { UsageError } from './failures.ts'
import { readPrivate, signInsFile, writePrivately } from './privateFiles.ts'

export type Session = { url: string; key: string; kind: string; expires_at?: string }

export type SignIn = Session & { name: string }

type Stored = { in_use: string | null; sign_ins: SignIn[] }

/** The name of a sign-in that was given none. */
export const defaultName = 'default'

const isName = /^[A-Za-z0-9][\w.@-]{0,63}$/

export function requireName(name: string): string {
  if (isName.test(name)) return name
  throw new UsageError(
    `${JSON.stringify(name)} is no name of a sign-in. Use up to 64 letters, digits, dots, @, - and _, with a letter or digit first.`,
  )
}

/** An older file holds one sign-in without a name. */
function stored(): Stored {
  const found = readPrivate<Stored | Session>(signInsFile())
  if (!found) return { in_use: null, sign_ins: [] }
  if ('sign_ins' in found) return found
  return { in_use: defaultName, sign_ins: [{ name: defaultName, ...found }] }
}

function store({ in_use, sign_ins }: Stored): void {
  if (sign_ins.length === 0) rmSync(signInsFile(), { force: true })
  else writePrivately(signInsFile(), { in_use, sign_ins })
}

/** By name. */
export const allSignIns = (): SignIn[] => stored().sign_ins.toSorted((a, b) => (a.name < b.name ? -1 : 1))

export function signInInUse(): SignIn | undefined {
  const { in_use, sign_ins } = stored()
  return sign_ins.find(({ name }) => name === in_use)
}

/** Throws `UsageError`, which lists the names. */
export function requireSignIn(name: string): SignIn {
  const all = allSignIns()
  const found = all.find((one) => one.name === name)
  if (found) return found
  const names = all.map((one) => one.name).join(', ')
  throw new UsageError(
    `There is no sign-in ${JSON.stringify(name)}. ${names ? `There are: ${names}.` : 'None is kept: agent-calendar login'}`,
  )
}

/** Replaces one of the same name, and puts it in use. */
export function keepSignIn(signIn: SignIn): void {
  const others = stored().sign_ins.filter(({ name }) => name !== signIn.name)
  store({ in_use: signIn.name, sign_ins: [...others, signIn] })
}

export const putInUse = (name: string) => store({ ...stored(), in_use: name })

/** Without the one in use, none is. */
export function forgetSignIn(gone: string): void {
  const { in_use, sign_ins } = stored()
  store({ in_use, sign_ins: sign_ins.filter(({ name }) => name !== gone) })
}
