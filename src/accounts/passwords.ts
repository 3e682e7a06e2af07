// Passwords, as Argon2id hashes. Hashing is costly on purpose, so only a few run at once: many sign-ins must not starve other
// requests, and none waits for ever.
import argon2 from 'argon2'
import type { App } from '../app.ts'
import { overloaded } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'

/** 19 MiB, two passes, one lane: OWASP's choice for Argon2id. */
const cost = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const maxAtOnce = 2
const maxWaiting = 100

function openHasher() {
  let working = 0
  const waiting: (() => void)[] = []
  /** A hash without a known password: checking against it takes as long as checking a real one. */
  let decoy: Promise<string> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (working >= maxAtOnce) {
      if (waiting.length >= maxWaiting) throw overloaded('Too many people are signing in at the moment. Try again.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      working++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working--
    }
  }

  return {
    hash: (password: string): Promise<string> => inTurn(() => argon2.hash(password, cost)),
    verify: (hash: string | null | undefined, password: string): Promise<boolean> =>
      inTurn(async () => {
        decoy ??= argon2.hash(crypto.randomUUID(), cost)
        const matches = await argon2.verify(hash ?? (await decoy), password)
        return matches && hash != null
      }),
    hashWith: (text: string, salt: Buffer): Promise<Buffer> =>
      inTurn(() => argon2.hash(text, { ...cost, salt, raw: true })),
  }
}

export const hashPassword = (app: App, password: string): Promise<string> => app.memory(openHasher).hash(password)

/** Without an account or a password: false, after the same time. */
export const isPassword = (app: App, hash: string | null | undefined, password: string): Promise<boolean> =>
  app.memory(openHasher).verify(hash, password)

/** A slow hash that is the same each time, for a text that is too short for a fast one. `salt`: the row that it belongs to. */
export const hashSlowly = (app: App, text: string, salt: Uuid): Promise<Buffer> =>
  app.memory(openHasher).hashWith(text, Buffer.from(salt.replaceAll('-', ''), 'hex'))
