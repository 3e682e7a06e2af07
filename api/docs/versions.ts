// The version in the address of an asset is that of its content, so a browser may cache it for ever.
import { createHash } from 'node:crypto'

export const tagOf = (body: string | Buffer): string => createHash('sha256').update(body).digest('base64url')

const versionOf = (tag: string) => tag.slice(0, 12)

/** `page` with a version behind the address of each asset. */
export const withVersions = (page: string, assetOf: (name: string) => string | Buffer): string =>
  page.replace(
    /(\/docs\/assets\/([\w.-]+\.(?:css|js)))"/g,
    (_, address: string, name: string) => `${address}?v=${versionOf(tagOf(assetOf(name)))}"`,
  )

export const hasVersion = (url: string, tag: string): boolean => url.endsWith(`?v=${versionOf(tag)}`)
