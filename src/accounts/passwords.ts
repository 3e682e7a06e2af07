// Passwords, as Argon2id hashes. Hashing takes memory and processor on purpose: few at a time, so that a crowd signing in
// starves nobody else, and nobody waits for ever.
import argon2 from 'argon2'
import { overloaded } from '../errors.ts'

/** 19 MiB, two passes, one lane: OWASP's choice for Argon2id. */
const cost = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const maxAtOnce = 2
const maxWaiting = 100

let atWork = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (atWork >= maxAtOnce) {
    if (waiting.length >= maxWaiting) throw overloaded('Too many people sign in at this moment. Try again.')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    atWork++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else atWork--
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => argon2.hash(password, cost))

/** Of no password anybody knows: to check against it takes as long as against a real one. */
let decoy: Promise<string> | undefined

/** False, after the same time, where there is no account or no password. */
export function isPassword(hash: string | null | undefined, password: string): Promise<boolean> {
  return inTurn(async () => {
    decoy ??= argon2.hash(crypto.randomUUID(), cost)
    const matches = await argon2.verify(hash ?? (await decoy), password)
    return matches && hash != null
  })
}
