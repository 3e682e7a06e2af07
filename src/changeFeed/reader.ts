// The caller of an answer that takes long.
import type { ServiceError } from '../errors.ts'

export type Reader = {
  /** Aborts when the caller hangs up. */
  gone: AbortSignal
  /** The request costs no API call after all. */
  giveBackCall(): void
  /** Takes one more API call; false if none is left. */
  takeCall(): Promise<boolean>
  /** So much of the answer's time was spent on waiting. */
  waited(ms: number): void
  /** The body with which the error would be answered. */
  bodyOf(error: ServiceError): unknown
}
