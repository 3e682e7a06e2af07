/** The address of an object in one form: servers do not agree on which characters of a path are escaped. */
export function objectName(href: string): string {
  const { origin, pathname } = new URL(href)
  return origin + pathname.split('/').map(inOneForm).join('/')
}

function inOneForm(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return segment
  }
}

/** Whether two addresses name one resource: a collection is named with a slash at its end, or without. */
export const isSameResource = (href: string, other: string): boolean => withoutSlash(href) === withoutSlash(other)

const withoutSlash = (href: string): string => objectName(href).replace(/\/+$/, '')
