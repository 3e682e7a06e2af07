// One run at a time: a request during a run joins the next one, which sees everything that was there at the request.

/** `run` never runs twice at once. */
export function openRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined
  let next: Promise<Result> | undefined

  function begin(): Promise<Result> {
    next = undefined
    const begun = run().finally(() => {
      if (current === begun) current = undefined
    })
    current = begun
    return begun
  }

  return () => {
    if (!current) return begin()
    next ??= current.then(begin, begin)
    return next
  }
}
