// Read, decide, write if nothing has changed since, otherwise decide again.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { overloaded } from '../errors.ts'
import { openTurns } from './turns.ts'

/** A decision returns this if somebody else was faster: the data has changed since it was read. */
export const again = Symbol('decide again')

const maxTries = 40
/** The first tries follow each other at once; later ones wait a little, and not all equally long. */
const triesWithoutPause = 5
const maxPauseMs = 20

type Subject = {
  /** The noun in the error message: `calendar`. */
  noun: string
  /** Which one. Decisions about one subject take turns in this app, so that they seldom meet in the database. */
  key: string
}

/** Rejects with 503 if the subject changed during every try; nothing has happened then. */
export function decide<T>(app: App, { noun, key }: Subject, work: () => Promise<T | typeof again>): Promise<T> {
  return app.memory(turnsOfApp)(`${noun} ${key}`, async () => {
    for (let tries = 0; tries < maxTries; tries++) {
      if (tries >= triesWithoutPause) await pause(Math.random() * maxPauseMs)
      const outcome = await work()
      if (outcome !== again) return outcome
    }
    throw overloaded(`Too many concurrent changes of this ${noun}. Nothing was changed; try again.`)
  })
}

const turnsOfApp = () => openTurns()
