// The forms of a code that proves the second factor.

/** Without letters and digits that look alike. */
export const recoveryLetters = '23456789abcdefghjkmnpqrstuvwxyz'

type SentCode = { kind: 'totp'; digits: string } | { kind: 'recovery'; letters: string }

/** Blanks, hyphens and case do not matter. Undefined: it cannot be the code of anything. */
export function readCode(text: string): SentCode | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', digits: code }
  if (code.length === 10 && [...code].every((letter) => recoveryLetters.includes(letter)))
    return { kind: 'recovery', letters: code }
  return undefined
}
