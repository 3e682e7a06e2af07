// Bytes to text. Feeds are UTF-8, say they are, or are what an old desktop program wrote.

const textOf = (bytes: Uint8Array, encoding: string, fatal = false): string =>
  new TextDecoder(encoding, { fatal }).decode(bytes)

/** Never fails: what is no text comes out as replacement characters, and then is no calendar either. */
export function decodeFeed(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return textOf(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return textOf(bytes, 'utf-16be')
  if (bytes[0] === 0x42 && bytes[1] === 0) return textOf(bytes, 'utf-16le')
  if (bytes[0] === 0 && bytes[1] === 0x42) return textOf(bytes, 'utf-16be')
  return asUtf8(bytes) ?? asUtf8(joinFolds(bytes)) ?? asWhatFits(bytes)
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return textOf(bytes, 'utf-8', true)
  } catch {
    return undefined
  }
}

/** Producers that fold by octets cut characters in two: such lines are joined before they are read as text. */
function joinFolds(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const octets = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  return Buffer.from(octets.replace(/\r?\n[ \t]/g, ''), 'latin1')
}

/** Broken UTF-8 where some of it is right, else Windows' Western alphabet, in which any byte is a letter. */
function asWhatFits(bytes: Uint8Array): string {
  const text = textOf(bytes, 'utf-8')
  return /[^\p{ASCII}\uFFFD]/u.test(text) ? text : textOf(bytes, 'windows-1252')
}
