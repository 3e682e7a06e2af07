// Files that browsers load from packages: the reference of Scalar, and MiniSearch.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import scalar from '@scalar/fastify-api-reference'

type Served = { url: string; handler(request: unknown, reply: unknown): void }

/** The files by name. */
export function loadPackages(): Record<string, string> {
  const require = createRequire(import.meta.url)
  return {
    'scalar.js': scalarScript(),
    'minisearch.js': readFileSync(require.resolve('minisearch').replace(/cjs.*/, 'umd/index.js'), 'utf8'),
  }
}

/**
 * The package for Fastify is the only one that has the whole script in one file without the 270 packages it is made from.
 * It gives the script to any object that looks like Fastify.
 */
function scalarScript(): string {
  const served: Served[] = []
  const listener = { route: (one: Served) => served.push(one), hasPlugin: () => false, initialConfig: {}, log: console }
  // biome-ignore lint/suspicious/noExplicitAny: it needs no more of Fastify than this
  scalar(listener as any, { configuration: { url: '/' } } as any, () => {})
  let script = ''
  const reply = { header: () => reply, send: (text: string) => (script = text) }
  served.find(({ url }) => url.endsWith('.js'))!.handler(undefined, reply)
  return script.replace(/\n\/\/# sourceMappingURL=.*$/, '')
}
