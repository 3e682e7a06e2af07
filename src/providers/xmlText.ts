// Bytes of XML as text, in the character set that they show, else the one of the header, else the one that they declare
// (RFC 7303, 3).
import { charsetOf, decoderOf, shownCharset } from '../shapes/charset.ts'

/** Undefined if the character set is not known. */
export function xmlText(bytes: Buffer, contentType: string | string[] | undefined): string | undefined {
  const charset = shownCharset(bytes, '<') ?? charsetOf(contentType) ?? declared(bytes) ?? 'utf-8'
  return decoderOf(charset)?.decode(bytes)
}

const declared = (bytes: Buffer): string | undefined =>
  /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 300))?.[1]
