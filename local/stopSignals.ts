// Ctrl-C, kill, a closed terminal: the first asks for an orderly end, a second one for an immediate end.

/** Ctrl-C arrives twice, from the terminal and passed on by npm: what comes this soon is the same key stroke. */
const sameKeystrokeMs = 700

export type StopSignals = {
  /** Aborted by the first signal. */
  requested: AbortSignal
  /** Aborted by the second one. */
  forced: AbortSignal
}

export function listenForStop(): StopSignals {
  const requested = new AbortController()
  const forced = new AbortController()
  let firstMs = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!requested.signal.aborted) {
        firstMs = performance.now()
        requested.abort()
      } else if (performance.now() - firstMs > sameKeystrokeMs) forced.abort()
    })
  }
  return { requested: requested.signal, forced: forced.signal }
}

/** Rejects when the time is over; by itself it keeps no process alive. */
export const notDoneWithin = (maxMs: number): Promise<never> =>
  new Promise((_, reject) =>
    setTimeout(() => reject(new Error(`not done within ${maxMs / 60_000} minutes`)), maxMs).unref(),
  )

/** Resolves at once if it is aborted already. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
