/** Lines of a text as one: each is joined to the one before it by a space; an empty line begins a paragraph. */
export const prose = (...lines: readonly string[]): string =>
  lines
    .map((line) => (line === '' ? '\n\n' : line))
    .join(' ')
    .replaceAll(' \n\n ', '\n\n')
