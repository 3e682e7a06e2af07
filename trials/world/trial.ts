// One trial from its start to its exit code: open, run until it is done, stopped or late, report, close.
import { aborted, type StopSignals } from '../../local/stopSignals.ts'
import type { Closable } from './opened.ts'

type Trial<S extends Closable> = {
  what: string
  stop: StopSignals
  /** Of the run, once everything is open. */
  maxMs: number
  open(): Promise<S>
  run(site: S, stopped: AbortSignal): Promise<unknown>
  /** Whether the results so far say that something is wrong. */
  isWrong(): boolean
  /** The results so far as text, also after a failure; undefined when there are none. */
  report(): string | undefined
  /** Cleans up after a run that ended halfway. */
  mend?(site: S): Promise<unknown>
}

/**
 * Exit code 1 when something is wrong or was not tried to the end. When something is wrong, the folder with the logs is
 * kept.
 */
export async function runTrial<S extends Closable>({ stop, ...trial }: Trial<S>): Promise<number> {
  let site: S | undefined
  let isWrong = true
  try {
    console.log(trial.what)
    site = await trial.open()
    const running = trial.run(site, stop.requested)
    running.catch(() => {})
    await Promise.race([running, aborted(stop.requested), notDoneWithin(trial.maxMs)])
    isWrong = trial.isWrong()
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).stack}`)
  }
  if (site) await trial.mend?.(site).catch(() => {})
  const report = trial.report()
  if (report) console.log(`\n${report}\n`)
  if (isWrong && site) console.log(`The logs are in ${site.dataDir}`)
  await site?.close(isWrong)
  return isWrong || stop.requested.aborted ? 1 : 0
}

/** By itself it keeps no process alive. */
const notDoneWithin = (maxMs: number): Promise<never> =>
  new Promise((_, reject) =>
    setTimeout(() => reject(new Error(`not done within ${maxMs / 60_000} minutes`)), maxMs).unref(),
  )
