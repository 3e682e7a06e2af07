/** TEXT of RFC 5545 has no control characters but tab and line breaks, a lone carriage return among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
export const plainText = (text: string): string => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')

/** The same for a title or a name: some readers skip an event whose title has lines. */
export const oneLine = (text: string): string => plainText(text).replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')
