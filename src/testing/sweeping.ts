// Fixtures of sweeper tests: pools and sweepers that end with their test, and the wake-ups that Redis keeps.
import assert from 'node:assert/strict'
import { openHandlers } from '../../workers/handlers.ts'
import { openPools } from '../../workers/pools.ts'
import { openSweeper } from '../../workers/sweeper.ts'
import type { App } from '../app.ts'
import type { PoolName } from '../wakeups/jobs.ts'
import { forgetKeys, keysLike } from './redisKeys.ts'

/** Closed at the end of a test, the last one first. */
export type Closing = (() => Promise<unknown>)[]

export const closeAll = async (closing: Closing) => {
  for (const close of closing.toReversed()) await close()
}

const pools: PoolName[] = ['timers', 'deliveries']

export function work(app: App, closing: Closing, names = pools) {
  closing.push(openPools(app, names, openHandlers(app)).close)
}

export function sweep(app: App, closing: Closing) {
  const engines = openHandlers(app)
  const sweeper = openSweeper(app, pools, engines)
  closing.push(async () => {
    await sweeper.close()
    await engines.deliveries.close()
  })
}

/** Looks every few milliseconds, up to the longest time that this may take. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  withinMs = 15_000,
): Promise<T> {
  const over = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > over) assert.fail(`${what}: not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Everything that Redis keeps for this one installation. */
export const keysOf = ({ redis, config }: App) => keysLike(redis, `*${config.redisPrefix}*`)
export const forget = ({ redis, config }: App) => forgetKeys(redis, `*${config.redisPrefix}*`)
