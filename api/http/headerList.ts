/** Alternating names and values, as `writeHead` takes them. `writeHead` checks each once, `setHeader` twice. */
export type HeaderList = string[]

/** Replaces an earlier value. A list of values is as many headers of that name. */
export function setHeader(headers: HeaderList, name: string, value: string | number | readonly string[]): void {
  removeHeader(headers, name)
  if (typeof value === 'string' || typeof value === 'number') headers.push(name, String(value))
  else for (const one of value) headers.push(name, one)
}

/** A name may be written in any case. */
export function removeHeader(headers: HeaderList, name: string): void {
  for (let at = headers.length - 2; at >= 0; at -= 2) {
    const other = headers[at]!
    if (other === name || (other.length === name.length && other.toLowerCase() === name.toLowerCase())) {
      headers.splice(at, 2)
    }
  }
}
