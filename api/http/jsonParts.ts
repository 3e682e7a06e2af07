// The JSON of a large answer, in parts, so that the first bytes leave before the last are made. A text of more than 128 KB gets memory of its own from
// the system, which takes as long as writing it.

const itemsOfPart = 20

const isRecord = (body: unknown): body is object => typeof body === 'object' && body !== null && !Array.isArray(body)
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > itemsOfPart

/** Whether a list of it is long. */
export function isLarge(body: unknown): body is object {
  if (!isRecord(body)) return false
  for (const name in body) if (isLong(body[name as keyof typeof body])) return true
  return false
}

export function* jsonParts(body: object): Generator<string> {
  let isFirst = true
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    const name = `${isFirst ? '{' : ','}${JSON.stringify(key)}:`
    isFirst = false
    if (isLong(value)) yield* partsOfList(name, value)
    else yield name + JSON.stringify(value)
  }
  yield '}'
}

function* partsOfList(name: string, items: readonly unknown[]): Generator<string> {
  for (let from = 0; from < items.length; from += itemsOfPart) {
    const text = JSON.stringify(items.slice(from, from + itemsOfPart)).slice(1, -1)
    yield from === 0 ? `${name}[${text}` : `,${text}`
  }
  yield ']'
}
