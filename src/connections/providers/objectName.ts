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
