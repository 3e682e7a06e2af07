// The sites that may embed a page. An origin becomes part of a header, so it has no other characters than these. Pure.

export const exampleOrigin = 'https://www.example.com'

const label = '[a-z0-9]([a-z0-9-]*[a-z0-9])?'
const pattern = new RegExp(`^(https://${label}([.]${label})*|http://localhost)(:[1-9][0-9]{0,4})?$`)

/** The origin of an address with https, if a header can name it. */
export function originOf(address: string): string | undefined {
  const { origin, protocol } = URL.parse(address) ?? {}
  return protocol === 'https:' && origin !== undefined && isOrigin(origin) ? origin : undefined
}

/** As browsers write it: in lower case, without the usual port, without a path. */
export const isOrigin = (text: string): boolean => pattern.test(text) && URL.parse(text)?.origin === text
