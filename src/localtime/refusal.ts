/** The refusal of a time that a caller sent. `suggestions`: values that may be sent instead, the likeliest first. */
export type Refusal = {
  readonly kind: 'refused'
  readonly code:
    | 'invalid_time_format'
    | 'offset_mismatch'
    | 'nonexistent_local_time'
    | 'ambiguous_local_time'
    | 'weekday_mismatch'
  readonly message: string
  readonly suggestions: readonly string[]
}

export const refused = (code: Refusal['code'], message: string, suggestions: readonly string[] = []): Refusal => ({
  kind: 'refused',
  code,
  message,
  suggestions,
})
