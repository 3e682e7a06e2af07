// The examples of a cluster in ops/, with the addresses of this trial. Pure.

export type Timing = { ttl: number; loopWait: number; retryTimeout: number }

type Rendered = { name: string; addresses: readonly string[]; subnet: string; timing?: Timing | undefined }

const exampleAddress = (nth: number) => `127.0.0.${11 + nth}`

/** `ops/patroni/patroni.yml` of one node. */
export function patroniOf(example: string, { name, addresses, subnet, timing }: Rendered): string {
  const own = addresses[Number(name.slice(2)) - 1]!
  const place = (line: string) =>
    line.startsWith('  hosts:') ? all(line, addresses) : line.replaceAll(exampleAddress(0), own)
  const text = example
    .split('\n')
    .map(place)
    .join('\n')
    .replaceAll('127.0.0.0/8', subnet)
    .replace(/^name: .*$/m, `name: ${name}`)
  return timing ? timed(text, timing) : text
}

/** `ops/haproxy/haproxy.cfg`. */
export const haproxyOf = (example: string, addresses: readonly string[]): string => all(example, addresses)

const all = (text: string, addresses: readonly string[]) =>
  addresses.reduce((made, address, nth) => made.replaceAll(exampleAddress(nth), address), text)

const timed = (text: string, { ttl, loopWait, retryTimeout }: Timing) =>
  text
    .replace(/^( +ttl:) .*$/m, `$1 ${ttl}`)
    .replace(/^( +loop_wait:) .*$/m, `$1 ${loopWait}`)
    .replace(/^( +retry_timeout:) .*$/m, `$1 ${retryTimeout}`)
