// The door of the XML parser: answers of CalDAV servers, as small trees. Hostile and very large ones are refused.
import { SaxesParser } from 'saxes'

/** `name` is in Clark notation, `{namespace}local`; `text` is that of the element itself. */
export type XmlElement = {
  name: string
  text: string
  children: XmlElement[]
  attributes: Readonly<Record<string, string>>
}

const maxDepth = 32
const maxElements = 100_000
/** Of one element; declarations of namespaces count. */
const maxAttributes = 64
const maxTextLength = 64 * 1024

class Refused extends Error {}

/**
 * The root; undefined if the text is not well-formed, declares a document type, or is too deep or too large. Only elements
 * named `long` may hold long texts.
 */
export function readXml(text: string, long: string): XmlElement | undefined {
  try {
    return parse(text, long)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

function parse(text: string, long: string): XmlElement | undefined {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  let attributes = 0
  const refuse = () => {
    throw new Refused()
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentagstart', () => {
    attributes = 0
    if (open.length >= maxDepth || ++count > maxElements) refuse()
  })
  // Each one is reported before the next one is read.
  parser.on('attribute', () => {
    if (++attributes > maxAttributes) refuse()
  })
  parser.on('opentag', ({ uri, local, attributes: all }) => {
    const values = Object.values(all).map((one) => [one.local, one.value] as const)
    const element = { name: `{${uri}}${local}`, text: '', children: [], attributes: Object.fromEntries(values) }
    if (open.length > 0) open.at(-1)!.children.push(element)
    else root = element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const add = (piece: string) => {
    const current = open.at(-1)
    if (!current) return
    current.text += piece
    if (current.text.length > maxTextLength && current.name !== long) refuse()
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(text).close()
  return root
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const childOf = (element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => at?.children.find((child) => child.name === name), element)

export const textOf = (element: XmlElement | undefined): string | undefined => {
  const text = element?.text.trim()
  return text === '' ? undefined : text
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => escapes[char]!)
