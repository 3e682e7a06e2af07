// The signals of Ctrl-C, kill and a closed terminal: the first asks for an orderly end, the second for an immediate
// one.

/** Ctrl-C arrives twice, from the terminal and from npm: two signals within this time are the same keystroke. */
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

/** Resolves at once if it is aborted already. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
