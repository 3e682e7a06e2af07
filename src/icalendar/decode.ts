// Bytes to text. A mark of the byte order counts first, then the character set that is named; otherwise feeds are UTF-8, claim to
// be, or come from an old desktop program.
import { decoderOf, shownCharset } from '../shapes/charset.ts'
import { Unreadable } from './unreadable.ts'

/** Bytes that are not text become replacement characters, which are not a calendar either. */
export function decodeFeed(bytes: Uint8Array, charset?: string): string {
  const shown = shownCharset(bytes, 'B')
  if (shown !== undefined && shown !== 'utf-8') return new TextDecoder(shown).decode(bytes)
  if (shown === undefined && charset !== undefined) {
    const decoder = decoderOf(charset)
    if (!decoder) throw new Unreadable('The feed uses an unknown character set.')
    if (decoder.encoding !== 'utf-8') return asNamed(bytes, decoder)
  }
  return valid(bytes, 'utf-8') ?? valid(joinFolds(bytes), 'utf-8') ?? asWhatFits(bytes)
}

const asNamed = (bytes: Uint8Array, decoder: TextDecoder): string =>
  valid(bytes, decoder.encoding) ?? valid(joinFolds(bytes), decoder.encoding) ?? decoder.decode(bytes)

function valid(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return decoderOf(charset, { fatal: true })?.decode(bytes)
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
  const text = new TextDecoder().decode(bytes)
  return /[^\p{ASCII}\uFFFD]/u.test(text) ? text : new TextDecoder('windows-1252').decode(bytes)
}

/** The same for one object; undefined if the character set is not known. */
export const calendarText = (bytes: Uint8Array, charset: string | undefined): string | undefined =>
  charset !== undefined && !decoderOf(charset) ? undefined : decodeFeed(bytes, charset)
