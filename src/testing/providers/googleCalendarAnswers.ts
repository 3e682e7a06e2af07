// Answers of the emulator of Google.
export type GoogleAnswer = { status: number; body?: unknown; headers?: Record<string, string> }

export const googleError = (status: number, reason: string, headers: Record<string, string> = {}): GoogleAnswer => ({
  status,
  body: { error: { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] } },
  headers,
})
