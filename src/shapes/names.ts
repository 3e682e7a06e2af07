// Names that strangers choose, in mails and on pages that other strangers read.

const maxShown = 60

/** On one line, and short enough to be no message of its own. */
export const shownName = (name: string): string => {
  const line = name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > maxShown
    ? `${characters
        .slice(0, maxShown - 1)
        .join('')
        .trimEnd()}…`
    : line
}
