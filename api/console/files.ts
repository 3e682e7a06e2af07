// The built console: index.html, and its assets as they are sent. Read once.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The smallest first. */
export const encodings = ['br', 'gzip'] as const

type Asset = { type: string; bodies: Record<(typeof encodings)[number] | 'identity', Buffer> }
export type ConsoleFiles = { index: Buffer; assets: ReadonlyMap<string, Asset> }

/** Undefined before the console was built: `npm start` and `npm test` build it. */
export function readConsole(folder: string): ConsoleFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = readdirSync(join(folder, 'assets')).filter((name) => extname(name) in types)
  const read = (name: string) => readFileSync(join(folder, 'assets', name))
  return {
    index: readFileSync(join(folder, 'index.html')),
    assets: new Map(
      names.map((name) => [
        name,
        {
          type: types[extname(name)]!,
          bodies: { br: read(`${name}.br`), gzip: read(`${name}.gz`), identity: read(name) },
        },
      ]),
    ),
  }
}
