// Compares texts of people: without case, and with one spelling of characters that Unicode writes in several ways. The original
// text is stored and shown.

/** `é` is one character or two: keyboards and file systems differ. */
const composed = (text: string): string => text.normalize('NFC')

/** With case. */
export const isSameText = (one: string, other: string): boolean => composed(one) === composed(other)

const likenessOf = (text: string): string => composed(composed(text).toLowerCase())

export const isAlike = (one: string, other: string): boolean => likenessOf(one) === likenessOf(other)

export const holdsLike = (text: string, part: string): boolean => likenessOf(text).includes(likenessOf(part))
