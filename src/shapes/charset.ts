// Which character set a header names, and texts in it.

/** Servers send its names with whatever a file holds, and it is part of UTF-8. */
const ascii = /^(us-)?ascii$/

/** The parameter of a Content-Type, in lower case; undefined without one. Quotes of either kind are taken off. */
export function charsetOf(contentType: string | string[] | undefined): string | undefined {
  const header = Array.isArray(contentType) ? contentType[0] : contentType
  for (const [, name, quoted, plain] of (header ?? '').matchAll(
    /;\s*([^\s=;]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g,
  )) {
    if (name!.toLowerCase() !== 'charset') continue
    const charset = (quoted ?? plain ?? '').replaceAll(/['"]/g, '').trim().toLowerCase()
    return charset === '' || ascii.test(charset) ? undefined : charset
  }
  return undefined
}

/** The character set that the first bytes show; undefined if they show none. `first` is the character that a text begins with. */
export function shownCharset(bytes: Uint8Array, first: string): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  const code = first.charCodeAt(0)
  if ((a === 0xff && b === 0xfe) || (a === code && b === 0)) return 'utf-16le'
  return (a === 0xfe && b === 0xff) || (a === 0 && b === code) ? 'utf-16be' : undefined
}

/** Undefined for a name that is not known. */
export function decoderOf(charset: string, options: { fatal?: boolean } = {}): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, options)
  } catch {
    return undefined
  }
}
