// Bytes to text. Feeds are UTF-8, claim to be, or come from an old desktop program.

const textOf = (bytes: Uint8Array, encoding: string, fatal = false): string =>
  new TextDecoder(encoding, { fatal }).decode(bytes)

/** Never fails: bytes that are not text become replacement characters, which are not a calendar either. */
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

/** Producers that fold by octets cut characters in two, so such lines are joined before decoding. */
function joinFolds(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const octets = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  return Buffer.from(octets.replace(/\r?\n[ \t]/g, ''), 'latin1')
}

/** Damaged UTF-8 if some of it is valid, otherwise Windows-1252, in which every byte is a character. */
function asWhatFits(bytes: Uint8Array): string {
  const text = textOf(bytes, 'utf-8')
  return /[^\p{ASCII}\uFFFD]/u.test(text) ? text : textOf(bytes, 'windows-1252')
}
