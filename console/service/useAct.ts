import { useRef, useState } from 'react'

type Sent = { idempotencyKey: string }

export type Act<I> = {
  /** Resolves to whether it was done. */
  send(input: I): Promise<boolean>
  /** The same request with the same key: done once is done once. */
  again(): Promise<boolean>
  error: unknown
  forget(): void
  isSending: boolean
}

/** A change of the service's records. Refused, it keeps the error for the screen. */
export function useAct<I, R>(
  run: (input: I, sent: Sent) => PromiseLike<R>,
  done: (result: R, input: I) => unknown = () => {},
): Act<I> {
  const [error, setError] = useState<unknown>()
  const [isSending, setIsSending] = useState(false)
  const last = useRef<{ input: I; sent: Sent } | undefined>(undefined)
  const isBusy = useRef(false)

  async function attempt(): Promise<boolean> {
    const { input, sent } = last.current!
    if (isBusy.current) return false
    isBusy.current = true
    setIsSending(true)
    try {
      const result = await run(input, sent)
      setError(undefined)
      await done(result, input)
      return true
    } catch (reason) {
      setError(reason)
      return false
    } finally {
      isBusy.current = false
      setIsSending(false)
    }
  }

  return {
    send(input) {
      if (!isBusy.current) last.current = { input, sent: { idempotencyKey: crypto.randomUUID() } }
      return attempt()
    },
    again: attempt,
    error,
    forget: () => setError(undefined),
    isSending,
  }
}
