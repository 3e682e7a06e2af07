// Readers of the change feed that wait.
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'

/** Resolves once this many readers wait in a process. */
export async function untilWaiting({ metrics }: App, readers: number): Promise<void> {
  while ((await metrics.feedWaits.get()).values[0]?.value !== readers) await pause(5)
}
