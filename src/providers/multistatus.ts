// Answers of WebDAV as small values. Pure: it runs in the thread that reads bytes from outside.
import { childOf, childrenOf, readXml, textOf, type XmlElement } from './xml.ts'
import { xmlText } from './xmlText.ts'

export const dav = (name: string) => `{DAV:}${name}`
export const caldavName = (name: string) => `{urn:ietf:params:xml:ns:caldav}${name}`

const maxResponses = 5_000
/** Of all found properties together: the process takes them over from the thread. */
const maxKept = 30_000

/** `href` is as the server wrote it; `props` are the found properties, undefined without any. */
type Response = { href: string | undefined; status: number | undefined; props: XmlElement | undefined }

/** `root` is without the responses. */
export type Multistatus =
  | { kind: 'multistatus'; responses: Response[]; root: XmlElement }
  | { kind: 'malformed' }
  | { kind: 'too_large' }

/** Objects of calendars are the only long texts. */
const parse = (bytes: Uint8Array, contentType: string | undefined) =>
  readXml(xmlText(Buffer.from(bytes), contentType) ?? '', caldavName('calendar-data'))

export function readMultistatus(bytes: Uint8Array, contentType: string | undefined): Multistatus {
  const root = parse(bytes, contentType)
  if (root?.name !== dav('multistatus')) return { kind: 'malformed' }
  const listed = childrenOf(root, dav('response'))
  if (listed.length > maxResponses) return { kind: 'too_large' }
  const responses = listed.map((element) => ({
    href: textOf(childOf(element, dav('href'))),
    status: codeOf(childOf(element, dav('status'))),
    props: foundProps(element),
  }))
  const rest = { ...root, children: root.children.filter(({ name }) => name !== dav('response')) }
  const kept = responses.reduce((sum, { props }) => sum + sizeOf(props), sizeOf(rest))
  return kept > maxKept ? { kind: 'too_large' } : { kind: 'multistatus', responses, root: rest }
}

/** The condition that the server names as not met, in Clark notation. */
export const readCondition = (bytes: Uint8Array, contentType: string | undefined): string | undefined =>
  parse(bytes, contentType)?.children[0]?.name

const codeOf = (element: XmlElement | undefined): number | undefined => {
  const code = /^HTTP\/[\d.]+ (\d{3})/i.exec(textOf(element) ?? '')?.[1]
  return code === undefined ? undefined : Number(code)
}

const foundProps = (response: XmlElement): XmlElement | undefined =>
  childrenOf(response, dav('propstat'))
    .find((one) => (codeOf(childOf(one, dav('status'))) ?? 200) === 200)
    ?.children.find(({ name }) => name === dav('prop'))

/** How many elements and attributes it holds. */
const sizeOf = (element: XmlElement | undefined): number =>
  element ? element.children.reduce((sum, child) => sum + sizeOf(child), 1 + Object.keys(element.attributes).length) : 0
