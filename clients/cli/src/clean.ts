// Text from the service, made safe for a terminal: a title may contain sequences that move the cursor or hide text.

// Control characters of both sets, and characters that reorder text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Tabs and line feeds stay. */
export const clean = (text: string): string => text.replaceAll(unsafe, escaped)

/** In one line. */
export const cleanLine = (text: string): string => clean(text).replaceAll(/[\t\n]+/g, ' ')

/** JSON stays JSON: the same characters, written as escapes. */
export const cleanJson = (value: unknown): string => clean(JSON.stringify(value, null, 2) ?? 'null')
